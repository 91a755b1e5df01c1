// Tests that all connections together respect the memory limit and release their memory.
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "net/http_server.h"
#include "net/test_client.h"
#include "net/test_sizes.h"

namespace lapse::net {
namespace {

constexpr size_t kHeldBodyBytes = 800'000;
constexpr size_t kHeldPartBytes = 700'000;

std::string Head(size_t body_bytes) {
  return "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body_bytes) + "\r\n\r\n";
}

std::string ChunkedHead(size_t chunk_bytes) {
  char size[24];
  std::snprintf(size, sizeof(size), "%zx", chunk_bytes);
  return "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(size) + "\r\n";
}

void AwaitHeld(TestServer& server, size_t at_least) {
  while (server->memory_held() < at_least) std::this_thread::yield();
}

void AwaitNothingHeld(TestServer& server) {
  while (server->memory_held() > 0) std::this_thread::yield();
}

void AnswerLength(const Request& request, Responder responder) {
  responder.response().body() = std::to_string(request.body.size());
  responder.Send();
}

HttpServerOptions Within(size_t memory_bytes_max) {
  HttpServerOptions options;
  options.memory_bytes_max = memory_bytes_max;
  return options;
}

TEST(HttpServerMemoryTest, ABodyThatDoesNotFitGets503) {
  TestServer server(AnswerLength, Within(kMb));
  TestClient first(server.port());
  ASSERT_TRUE(first.Send(Head(kHeldBodyBytes) + std::string(kHeldPartBytes, 'x')));
  AwaitHeld(server, kHeldPartBytes);

  TestClient second(server.port());
  second.Send(Head(kHeldBodyBytes) + std::string(kHeldPartBytes, 'x'));
  const Answer refused = second.Receive();
  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(refused.Has("Connection: close"));
  EXPECT_LE(server->memory_held(), kMb);

  TestClient small(server.port());
  EXPECT_EQ(small.Exchange(Head(3) + "abc").body, "3") << "small requests need nothing of it";

  EXPECT_EQ(first.Exchange(std::string(kHeldBodyBytes - kHeldPartBytes, 'x')).body, std::to_string(kHeldBodyBytes));
  AwaitNothingHeld(server);
  TestClient third(server.port());
  EXPECT_EQ(third.Exchange(Head(kHeldBodyBytes) + std::string(kHeldBodyBytes, 'x')).status, 200);
}

TEST(HttpServerMemoryTest, AChunkedBodyThatDoesNotFitGets503) {
  TestServer server(AnswerLength, Within(2 * kMb));
  TestClient first(server.port());
  ASSERT_TRUE(first.Send(ChunkedHead(kHeldBodyBytes) + std::string(kHeldPartBytes, 'x')));
  AwaitHeld(server, kHeldPartBytes);
  TestClient second(server.port());
  second.Send(ChunkedHead(4 * kMb) + std::string(4 * kMb, 'x'));
  EXPECT_EQ(second.Receive().status, 503);
  EXPECT_EQ(first.Exchange(std::string(kHeldBodyBytes - kHeldPartBytes, 'x') + "\r\n0\r\n\r\n").body,
            std::to_string(kHeldBodyBytes));
  AwaitNothingHeld(server);
}

TEST(HttpServerMemoryTest, TheBoundHoldsForManyConnections) {
  constexpr int kClients = 40;
  HttpServerOptions options = Within(4 * kMb);
  options.threads = 2;
  TestServer server(AnswerLength, options);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < kClients; ++i) clients.push_back(std::make_unique<TestClient>(server.port()));
  for (auto& client : clients) {
    client->Send(Head(kHeldBodyBytes) + std::string(kHeldPartBytes, 'x'));
    EXPECT_LE(server->memory_held(), 4 * kMb);
  }
  int served = 0;
  int refused = 0;
  for (auto& client : clients) {
    client->Send(std::string(kHeldBodyBytes - kHeldPartBytes, 'x'));
    const int status = client->Receive().status;
    EXPECT_LE(server->memory_held(), 4 * kMb);
    if (status == 200) ++served;
    if (status == 503) ++refused;
  }
  EXPECT_EQ(served + refused, kClients);
  EXPECT_GE(served, 1);
  EXPECT_GE(refused, 1);
  AwaitNothingHeld(server);
}

TEST(HttpServerMemoryTest, ShortMemoryIsLoggedOnce) {
  testing::internal::CaptureStderr();
  {
    TestServer server(AnswerLength, Within(kMb));
    for (int i = 0; i < 5; ++i) {
      TestClient client(server.port());
      client.Send(Head(2 * kMb) + std::string(2 * kMb, 'x'));
      EXPECT_EQ(client.Receive().status, 503);
    }
  }
  const std::string log = testing::internal::GetCapturedStderr();
  const size_t first = log.find("request_memory_in_use");
  EXPECT_NE(first, std::string::npos) << log;
  EXPECT_EQ(log.find("request_memory_in_use", first + 1), std::string::npos) << log;
}

TEST(HttpServerMemoryTest, AClientThatGoesLeavesNothingBehind) {
  TestServer server(AnswerLength, Within(kMb));
  std::optional<TestClient> client(std::in_place, server.port());
  ASSERT_TRUE(client->Send(Head(kHeldBodyBytes) + std::string(kHeldPartBytes, 'x')));
  AwaitHeld(server, kHeldPartBytes);
  client.reset();
  AwaitNothingHeld(server);
}

// Clients that do not read answers too large for the kernel's buffers.
class UnsentAnswers {
 public:
  explicit UnsentAnswers(HttpServerOptions options)
      : server_(
            [](const Request& request, Responder responder) {
              responder.response().body().assign(kLongAnswerBytes, 'x');
              if (request.path == "/query") responder.response().set_safe(true);
              responder.Send();
            },
            std::move(options)) {}

  TestServer& server() { return server_; }
  std::unique_ptr<TestClient> Ask(std::string_view line) {
    auto client = std::make_unique<TestClient>(server_.port());
    client->Send(std::string(line) + " HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
    return client;
  }

 private:
  TestServer server_;
};

TEST(HttpServerMemoryTest, AnAnswerThatDoesNotFitIs503IfItsRequestChangedNothing) {
  UnsentAnswers unsent(Within(kLongAnswerBytes + kMb));
  std::unique_ptr<TestClient> first = unsent.Ask("GET /");
  AwaitHeld(unsent.server(), kLongAnswerBytes);
  for (std::string_view safe : {"GET /", "POST /query"}) {
    std::unique_ptr<TestClient> client = unsent.Ask(safe);
    const Answer withheld = client->Receive();
    EXPECT_EQ(withheld.status, 503) << safe;
    EXPECT_FALSE(withheld.Has("Connection: close")) << "the request was read to its end";
  }
  EXPECT_LE(unsent.server()->memory_held(), kLongAnswerBytes + kMb);
  EXPECT_EQ(unsent.Ask("POST /")->Receive().status, 200) << "what was changed must be answered";

  EXPECT_EQ(first->Receive().body.size(), kLongAnswerBytes);
  AwaitNothingHeld(unsent.server());
  EXPECT_EQ(unsent.Ask("GET /")->Receive().status, 200);
}

TEST(HttpServerMemoryTest, SaysWhenABurstIsOver) {
  std::promise<void> calm;
  HttpServerOptions options;
  options.on_memory_calm = [&calm] { calm.set_value(); };
  UnsentAnswers unsent(options);
  std::unique_ptr<TestClient> client = unsent.Ask("GET /");
  AwaitHeld(unsent.server(), kLongAnswerBytes);
  EXPECT_EQ(client->Receive().status, 200);
  calm.get_future().wait();
}

}  // namespace
}  // namespace lapse::net
