#include <gtest/gtest.h>
#include <sys/resource.h>

#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/fail_point.h"
#include "net/http_server.h"
#include "net/test_client.h"
#include "net/test_sizes.h"

namespace lapse::net {
namespace {

constexpr int kTinyMs = 50;

TEST(HttpServerLimitsTest, AHeadThatDoesNotArriveGets408) {
  HttpServerOptions options;
  options.header_timeout_ms = kTinyMs;
  TestServer server(Echo, options);
  TestClient client(server.port());
  const Answer answer = client.Exchange("GET / HTTP/1.1\r\nHo");
  EXPECT_EQ(answer.status, 408);
  EXPECT_TRUE(answer.Has("Connection: close"));
  EXPECT_TRUE(client.AtEnd());
}

constexpr std::chrono::milliseconds kDrip(5);

TEST(HttpServerLimitsTest, BytesNowAndThenDoNotStretchTheLimit) {
  HttpServerOptions options;
  options.header_timeout_ms = kTinyMs;
  TestServer server(Echo, options);
  TestClient client(server.port());
  std::thread dripping([&] {
    client.Send("GET / HTTP/1.1\r\n");
    while (client.Send("X: y\r\n")) std::this_thread::sleep_for(kDrip);  // NOLINT(lapse-tidy): the drip is the test
  });
  EXPECT_EQ(client.Receive().status, 408);
  client.AtEnd();
  dripping.join();
}

TEST(HttpServerLimitsTest, ABodyThatDoesNotArriveGets408) {
  HttpServerOptions options;
  options.body_timeout_ms = kTinyMs;
  TestServer server(Echo, options);
  for (std::string_view framing : {"Content-Length: 5\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    TestClient client(server.port());
    EXPECT_EQ(client.Exchange("POST / HTTP/1.1\r\nHost: h\r\n" + std::string(framing)).status, 408);
    EXPECT_TRUE(client.AtEnd());
  }
}

TEST(HttpServerLimitsTest, AnIdleConnectionIsClosedInSilence) {
  HttpServerOptions options;
  options.idle_timeout_ms = kTinyMs;
  TestServer server(Echo, options);
  TestClient used(server.port());
  EXPECT_EQ(used.Exchange(kGet).status, 200);
  EXPECT_TRUE(used.AtEnd());
}

TEST(HttpServerLimitsTest, AConnectionThatSaysNothingIsClosedAfterTheHeaderLimit) {
  HttpServerOptions options;
  options.header_timeout_ms = kTinyMs;
  TestServer server(Echo, options);
  TestClient silent(server.port());
  TestClient used(server.port());
  EXPECT_EQ(used.Exchange(kGet).status, 200);
  EXPECT_TRUE(silent.AtEnd());
  EXPECT_EQ(used.Exchange(kGet).status, 200) << "one that was served may rest longer";
}

TEST(HttpServerLimitsTest, EmptyLinesDoNotStretchTheLimit) {
  HttpServerOptions options;
  options.header_timeout_ms = kTinyMs;
  TestServer server(Echo, options);
  TestClient client(server.port());
  std::thread dripping([&] {
    while (client.Send("\r\n")) std::this_thread::sleep_for(kDrip);  // NOLINT(lapse-tidy): the drip is the test
  });
  EXPECT_TRUE(client.AtEnd());
  dripping.join();
}

TEST(HttpServerLimitsTest, AClientThatDoesNotReadIsCutOff) {
  HttpServerOptions options;
  options.write_timeout_ms = kTinyMs;
  TestServer server(
      [](const Request&, Responder responder) {
        responder.response().body().assign(kLongAnswerBytes, 'x');
        responder.Send();
      },
      options);
  TestClient client(server.port());
  client.Send(kGet);
  while (server->connections() == 0) std::this_thread::yield();
  while (server->connections() == 1) std::this_thread::yield();
  EXPECT_LT(client.ReceiveToEnd().size(), kLongAnswerBytes);
}

TEST(HttpServerLimitsTest, OversizeRequestsAreRefused) {
  HttpServerOptions options;
  options.header_bytes_max = 1000;
  options.headers_max = 3;
  options.body_bytes_max = 100;
  TestServer server(Echo, options);
  struct Case {
    int status;
    std::string request;
  };
  const std::string line = "GET / HTTP/1.1\r\nHost: h\r\n";
  for (const Case& c : std::vector<Case>{
           {414, "GET /" + std::string(2000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n"},
           {431, line + "X: " + std::string(2000, 'a') + "\r\n\r\n"},
           {431, line + "A: 1\r\nB: 2\r\nC: 3\r\n\r\n"},
           {413, line + "Content-Length: 101\r\n\r\n"},
           {413, line + "Content-Length: 101\r\nExpect: 100-continue\r\n\r\n"},
           {413, line + "Transfer-Encoding: chunked\r\n\r\n65\r\n"},
           {200, line + "Content-Length: 100\r\n\r\n" + std::string(100, 'x')},
       }) {
    TestClient client(server.port());
    EXPECT_EQ(client.Exchange(c.request).status, c.status) << c.request.substr(0, 100);
  }
}

TEST(HttpServerLimitsTest, AtTheLimitASilentConnectionMakesRoom) {
  HttpServerOptions options;
  options.connections_max = 2;
  TestServer server(Echo, options);
  TestClient used(server.port());
  EXPECT_EQ(used.Exchange(kGet).status, 200);
  TestClient silent(server.port());
  while (server->connections() < 2) std::this_thread::yield();
  TestClient newest(server.port());
  EXPECT_EQ(newest.Exchange(kGet).status, 200);
  EXPECT_TRUE(silent.AtEnd());
  EXPECT_EQ(used.Exchange(kGet).status, 200);
  EXPECT_EQ(server->connections(), 2);
}

// Holds every request until told to answer.
class HoldingServer {
 public:
  explicit HoldingServer(const HttpServerOptions& options)
      : server_(
            [this](const Request&, Responder responder) {
              std::lock_guard lock(mutex_);
              held_.push_back(std::move(responder));
              changed_.notify_all();
            },
            options) {}

  TestServer& server() { return server_; }

  void AwaitHeld(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_.size() == count; });
  }

  void AnswerAll() {
    std::lock_guard lock(mutex_);
    for (Responder& responder : held_) responder.Send();
    held_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Responder> held_;  // guarded by mutex_
  TestServer server_;
};

TEST(HttpServerLimitsTest, AtTheLimitWithoutAnIdleConnectionANewOneGets503) {
  HttpServerOptions options;
  options.connections_max = 2;
  HoldingServer holding(options);
  TestServer& server = holding.server();
  TestClient first(server.port());
  TestClient second(server.port());
  first.Send(kGet);
  second.Send(kGet);
  holding.AwaitHeld(2);
  TestClient third(server.port());
  const Answer refused = third.Receive();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, "The server has too many connections.\n");
  EXPECT_TRUE(refused.Has("Connection: close"));
  EXPECT_TRUE(third.AtEnd());
  EXPECT_EQ(server->connections(), 2);
  holding.AnswerAll();
  EXPECT_EQ(first.Receive().status, 200);
  EXPECT_EQ(second.Receive().status, 200);
}

TEST(HttpServerLimitsTest, RunningOutOfDescriptorsOnlyDelays) {
  TestServer server;
  TestClient served(server.port());
  EXPECT_EQ(served.Exchange(kGet).status, 200);
  const int waiting_socket = ::socket(AF_INET, SOCK_STREAM, 0);
  // With all descriptors taken, the kernel completes the connection but the server cannot accept it.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(waiting_socket);
  rlimit none_left = before;
  none_left.rlim_cur = static_cast<rlim_t>(next);
  ::close(next);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none_left), 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(waiting_socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(served.Exchange(kGet).status, 200);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_GT(::send(waiting_socket, kGet.data(), kGet.size(), MSG_NOSIGNAL), 0);
  char byte = 0;
  EXPECT_EQ(::recv(waiting_socket, &byte, 1, 0), 1);
  ::close(waiting_socket);
}

TEST(HttpServerLimitsTest, AShortageOfDescriptorsIsLoggedOnce) {
  testing::internal::CaptureStderr();
  {
    TestServer server;
    std::mutex mutex;
    std::condition_variable changed;
    int tries = 0;  // guarded by mutex
    std::optional<ScopedFailPoint> none_left(std::in_place, "net.accept", FailPoint::kAlways, [&] {
      std::lock_guard lock(mutex);
      ++tries;
      changed.notify_all();
      return Status(Code::kUnavailable, "no descriptor");
    });
    TestClient client(server.port());
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return tries >= 4; });
    }
    none_left.reset();
    EXPECT_EQ(client.Exchange(kGet).status, 200);
  }
  const std::string log = testing::internal::GetCapturedStderr();
  const size_t first = log.find("accept_failed");
  EXPECT_NE(first, std::string::npos) << log;
  EXPECT_EQ(log.find("accept_failed", first + 1), std::string::npos) << log;
}

}  // namespace
}  // namespace lapse::net
