#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "net/http_server.h"
#include "net/test_client.h"

namespace lapse::net {
namespace {

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr int kLongMs = 60'000;  // far more than any test takes: what ends, ends before the limit

// Keeps the responder of a request until the test takes it.
class HoldingHandler {
 public:
  void operator()(const Request&, Responder responder) {
    held_->set_value(std::make_unique<Responder>(std::move(responder)));
  }
  std::unique_ptr<Responder> Take() { return held_->get_future().get(); }

 private:
  std::shared_ptr<std::promise<std::unique_ptr<Responder>>> held_ =
      std::make_shared<std::promise<std::unique_ptr<Responder>>>();
};

TEST(HttpServerStopTest, ClosesIdleConnectionsAtOnce) {
  TestServer server;
  TestClient fresh(server.port());
  TestClient used(server.port());
  EXPECT_EQ(used.Exchange(kGet).status, 200);
  server->Stop(kLongMs);
  EXPECT_TRUE(fresh.AtEnd());
  EXPECT_TRUE(used.AtEnd());
  EXPECT_EQ(server->connections(), 0);
  EXPECT_FALSE(TestClient(server.port()).connected());
}

TEST(HttpServerStopTest, LetsARequestUnderWayFinish) {
  HoldingHandler holding;
  TestServer server(holding);
  TestClient client(server.port());
  client.Send(kGet);
  std::unique_ptr<Responder> responder = holding.Take();
  std::thread stopping([&] { server->Stop(kLongMs); });
  // The listening socket is closed before the loops are told.
  while (TestClient(server.port()).connected()) std::this_thread::yield();
  responder->response().body() = "late";
  responder->Send();
  const Answer answer = client.Receive();
  EXPECT_EQ(answer.body, "late");
  EXPECT_TRUE(client.AtEnd());
  stopping.join();
}

TEST(HttpServerStopTest, AnswersAfterTheGraceGoNowhere) {
  HoldingHandler holding;
  std::optional<TestServer> server(std::in_place, holding);
  TestClient client(server->port());
  client.Send(kGet);
  std::unique_ptr<Responder> responder = holding.Take();
  (*server)->Stop(0);
  EXPECT_TRUE(client.AtEnd());
  server.reset();
  responder->response().body() = "too late";
  responder->Send();
}

TEST(HttpServerStopTest, DroppedResponderAfterTheEndIsHarmless) {
  HoldingHandler holding;
  std::optional<TestServer> server(std::in_place, holding);
  TestClient client(server->port());
  client.Send(kGet);
  std::unique_ptr<Responder> responder = holding.Take();
  server.reset();
  responder.reset();
  EXPECT_TRUE(client.AtEnd());
}

TEST(HttpServerStopTest, AnswerToAClientThatHasGoneIsHarmless) {
  HoldingHandler holding;
  TestServer server(holding);
  std::optional<TestClient> client(std::in_place, server.port());
  client->Send(kGet);
  std::unique_ptr<Responder> responder = holding.Take();
  client.reset();
  responder->response().body().assign(1 << 20, 'x');
  responder->Send();
  while (server->connections() > 0) std::this_thread::yield();
}

TEST(HttpServerStopTest, StopsTwice) {
  TestServer server;
  server->Stop(kLongMs);
  server->Stop(kLongMs);
}

TEST(HttpServerStopTest, StopsUnderLoad) {
  for (int threads : {1, 2}) {
    for (int grace_ms : {0, kLongMs}) {
      ThreadPool pool("load", 2);
      HttpServerOptions options;
      options.threads = threads;
      TestServer server(
          [&pool](const Request& request, Responder responder) {
            if (request.path == "/inline") return Echo(request, std::move(responder));
            auto held = std::make_shared<Responder>(std::move(responder));
            pool.Run([&request, held] { Echo(request, std::move(*held)); });
          },
          options);
      std::atomic<int> answers{0};
      std::vector<std::thread> clients;
      for (int i = 0; i < 6; ++i) {
        clients.emplace_back([&, i] {
          const std::string path = i % 2 == 0 ? "/inline" : "/pool";
          const std::string request = "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
          TestClient client(server.port());
          // Three at a time, so that some wait in buffers when the end comes.
          while (client.Send(request + request + request)) {
            for (int n = 0; n < 3; ++n) {
              if (client.Receive().status != 200) return;
              ++answers;
            }
          }
        });
      }
      while (answers < 100) std::this_thread::yield();
      server->Stop(grace_ms);
      EXPECT_EQ(server->connections(), 0);
      for (std::thread& client : clients) client.join();
    }
  }
}

}  // namespace
}  // namespace lapse::net
