// Tests clients that hang up while their request is being handled.
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "net/http_server.h"
#include "net/test_client.h"

namespace lapse::net {
namespace {

using Held = std::promise<std::unique_ptr<Responder>>;

TEST(HttpServerHangUpTest, IsToldToTheHandler) {
  auto held = std::make_shared<Held>();
  TestServer server([held](const Request&, Responder responder) {
    held->set_value(std::make_unique<Responder>(std::move(responder)));
  });
  std::optional<TestClient> client(std::in_place, server.port());
  client->Send(kGet);
  const std::unique_ptr<Responder> responder = held->get_future().get();
  EXPECT_FALSE(responder->PeerIsGone());
  client.reset();
  while (!responder->PeerIsGone()) std::this_thread::yield();
  responder->Send();
}

}  // namespace
}  // namespace lapse::net
