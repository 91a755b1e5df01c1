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

constexpr int kLongMs = 60'000;  // far more than any test takes, so that the limit does not end anything

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
  // The listening socket is closed before the loops are told to stop.
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
  EXPECT_TRUE(responder->PeerIsGone()) << "long work may end: nobody waits for it";
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

TEST(HttpServerStopTest, AnAnswerToAClientThatHasGoneEndsItsConnectionAlone) {
  HoldingHandler holding;
  TestServer server([&holding](const Request& request, Responder responder) {
    if (request.path == "/held") return holding(request, std::move(responder));
    Echo(request, std::move(responder));
  });
  TestClient other(server.port());
  EXPECT_EQ(other.Exchange(kGet).status, 200);
  std::optional<TestClient> client(std::in_place, server.port());
  client->Send("GET /held HTTP/1.1\r\nHost: h\r\n\r\n");
  std::unique_ptr<Responder> responder = holding.Take();
  // The client resets the connection, so that writing the answer fails.
  const linger reset{1, 0};
  setsockopt(client->socket(), SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
  client.reset();
  EXPECT_EQ(server->connections(), 2) << "a request under way keeps its connection";
  responder->response().body().assign(1 << 20, 'x');
  responder->Send();
  while (server->connections() > 1) std::this_thread::yield();
  EXPECT_EQ(other.Exchange(kGet).status, 200) << "the loop goes on";
  EXPECT_EQ(server->connections(), 1) << "counted once";
  while (server->memory_held() > 0) std::this_thread::yield();
}

// A thread that stopped a server may destroy what its handler uses. So no call may return before the last request is
// answered.
TEST(HttpServerStopTest, EveryStopWaitsForTheEnd) {
  HoldingHandler holding;
  TestServer server(holding);
  TestClient client(server.port());
  client.Send(kGet);
  std::unique_ptr<Responder> responder = holding.Take();
  std::atomic<bool> answered{false};
  std::vector<std::thread> stopping;
  for (int i = 0; i < 2; ++i) {
    stopping.emplace_back([&] {
      server->Stop(kLongMs);
      EXPECT_TRUE(answered) << "stopped with a request under way";
      EXPECT_EQ(server->connections(), 0);
    });
  }
  while (TestClient(server.port()).connected()) std::this_thread::yield();
  answered = true;
  responder->Send();
  EXPECT_EQ(client.Receive().status, 200);
  EXPECT_TRUE(client.AtEnd());
  for (std::thread& thread : stopping) thread.join();
  server->Stop(kLongMs);
  EXPECT_FALSE(TestClient(server.port()).connected());
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
          // Three at a time, so that some wait in buffers when the server stops.
          std::string three;
          for (int n = 0; n < 3; ++n) three.append("GET ").append(path).append(" HTTP/1.1\r\nHost: h\r\n\r\n");
          TestClient client(server.port());
          while (client.Send(three)) {
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
