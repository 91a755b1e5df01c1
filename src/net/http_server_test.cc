#include "net/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/executor.h"
#include "net/test_client.h"

namespace lapse::net {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kGetWithQuery = "GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n";

std::string Post(std::string_view body, std::string_view headers = "") {
  return "POST /p HTTP/1.1\r\nHost: h\r\n" + std::string(headers) + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

// Answers on separate threads, as a handler that may block does.
struct Elsewhere {
  void operator()(const Request& request, Responder responder) {
    auto held = std::make_shared<Responder>(std::move(responder));
    pool->Run([&request, held] { Echo(request, std::move(*held)); });
  }
  std::shared_ptr<ThreadPool> pool = std::make_shared<ThreadPool>("test", 2);
};

TEST(HttpServerTest, AnswersOneRequestAfterAnotherOnAConnection) {
  TestServer server;
  TestClient client(server.port());
  for (int i = 0; i < 3; ++i) {
    const Answer answer = client.Exchange(kGetWithQuery);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "GET /a b ");
    EXPECT_THAT(answer.head, HasSubstr("\r\nDate: "));
    EXPECT_THAT(answer.head, HasSubstr(" GMT\r\n"));
    EXPECT_FALSE(answer.Has("Connection: close"));
  }
  EXPECT_EQ(server->connections(), 1);
}

TEST(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  for (const FunctionHandler::Function& handler :
       {FunctionHandler::Function(Echo), FunctionHandler::Function(Elsewhere())}) {
    TestServer server(handler);
    TestClient client(server.port());
    std::string requests;
    for (int i = 0; i < 100; ++i) requests += Post("body " + std::to_string(i));
    ASSERT_TRUE(client.Send(requests));
    for (int i = 0; i < 100; ++i) {
      const Answer answer = client.Receive();
      ASSERT_EQ(answer.status, 200);
      EXPECT_EQ(answer.body, "POST /p  body " + std::to_string(i));
    }
  }
}

TEST(HttpServerTest, TakesRequestsByteByByte) {
  TestServer server;
  TestClient client(server.port());
  for (char c : Post("x") + std::string(kGetWithQuery)) ASSERT_TRUE(client.Send(std::string_view(&c, 1)));
  EXPECT_EQ(client.Receive().body, "POST /p  x");
  EXPECT_EQ(client.Receive().body, "GET /a b ");
}

TEST(HttpServerTest, TakesAndGivesLargeBodies) {
  for (const FunctionHandler::Function& handler :
       {FunctionHandler::Function(Echo), FunctionHandler::Function(Elsewhere())}) {
    TestServer server(handler);
    TestClient client(server.port());
    std::string body(3'000'000, 'x');
    for (size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i % 17);
    const Answer answer = client.Exchange(Post(body));
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.body == "POST /p  " + body);
    EXPECT_EQ(client.Exchange(kGetWithQuery).body, "GET /a b ");
  }
}

TEST(HttpServerTest, PutsChunkedBodiesTogether) {
  TestServer server;
  TestClient client(server.port());
  std::string request = "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::string body;
  for (int i = 0; i < 1000; ++i) {
    request += "64;x=y\r\n" + std::string(100, static_cast<char>('a' + i % 26)) + "\r\n";
    body += std::string(100, static_cast<char>('a' + i % 26));
  }
  request += "0\r\nTrailer: t\r\n\r\n";
  const Answer answer = client.Exchange(request + std::string(kGetWithQuery));
  EXPECT_EQ(answer.body, "POST /c  " + body);
  EXPECT_EQ(client.Receive().body, "GET /a b ");
}

TEST(HttpServerTest, InvitesTheBodyWhenTheClientWaits) {
  TestServer server;
  TestClient client(server.port());
  const std::string request = Post("hello", "Expect: 100-continue\r\n");
  const std::string head = request.substr(0, request.size() - 5);
  EXPECT_EQ(client.Exchange(head).status, 100);
  EXPECT_EQ(client.Exchange("hello").body, "POST /p  hello");
  EXPECT_EQ(client.Exchange(request).body, "POST /p  hello");
}

TEST(HttpServerTest, SendsNoBodyToHead) {
  TestServer server;
  TestClient client(server.port());
  client.Send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n" + std::string(kGetWithQuery));
  EXPECT_TRUE(client.Receive(/*to_head=*/true).Has("Content-Length: 9"));
  EXPECT_EQ(client.Receive().body, "GET /a b ");
}

TEST(HttpServerTest, ClosesWhenTheClientWantsIt) {
  TestServer server;
  TestClient client(server.port());
  EXPECT_TRUE(client.Exchange("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").Has("Connection: close"));
  EXPECT_TRUE(client.AtEnd());
}

TEST(HttpServerTest, ServesHttp10) {
  TestServer server;
  TestClient keeping(server.port());
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(keeping.Exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").Has("Connection: keep-alive"));
  }
  TestClient closing(server.port());
  EXPECT_TRUE(closing.Exchange("GET / HTTP/1.0\r\n\r\n").Has("Connection: close"));
  EXPECT_TRUE(closing.AtEnd());
}

TEST(HttpServerTest, AnswersAfterTheClientHasFinishedSending) {
  TestServer server{Elsewhere()};
  TestClient client(server.port());
  client.Send(std::string(kGetWithQuery) + std::string(kGetWithQuery));
  client.FinishSending();
  EXPECT_EQ(client.Receive().status, 200);
  EXPECT_EQ(client.Receive().status, 200);
  EXPECT_TRUE(client.AtEnd());
}

TEST(HttpServerTest, RefusesATruncatedRequest) {
  TestServer server;
  for (std::string_view part :
       {"G", "GET / HTTP/1.1\r\nHost: h\r\n", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc"}) {
    TestClient client(server.port());
    client.Send(part);
    client.FinishSending();
    EXPECT_EQ(client.Receive().status, 400) << part;
    EXPECT_TRUE(client.AtEnd());
  }
}

TEST(HttpServerTest, ClosesAfterAFramingErrorInTheFormAsked) {
  HttpServerOptions options;
  options.make_error = [](int status, std::string_view reason, Response& response) {
    response.AddHeader("X-Error", status);
    response.body() = "{\"message\":\"" + std::string(reason) + "\"}";
  };
  TestServer server(Echo, options);
  TestClient client(server.port());
  // Valid requests before it are answered first, and the bytes after it are not read as a request.
  client.Send(std::string(kGetWithQuery) + "GET / HTTP/3.0\r\n\r\n" + std::string(kGetWithQuery));
  EXPECT_EQ(client.Receive().status, 200);
  const Answer answer = client.Receive();
  EXPECT_EQ(answer.status, 505);
  EXPECT_TRUE(answer.Has("X-Error: 505"));
  EXPECT_TRUE(answer.Has("Connection: close"));
  EXPECT_THAT(answer.body, HasSubstr("{\"message\":\"Only HTTP/1"));
  EXPECT_TRUE(client.AtEnd());
}

TEST(HttpServerTest, AnswersPlainTextErrorsUnlessToldOtherwise) {
  TestServer server;
  TestClient client(server.port());
  const Answer answer = client.Exchange("nonsense\r\n");
  EXPECT_EQ(answer.status, 400);
  EXPECT_TRUE(answer.Has("Content-Type: text/plain; charset=utf-8"));
  EXPECT_FALSE(answer.body.empty());
}

TEST(HttpServerTest, AClientThatSendsOnStillSeesWhyItWasRefused) {
  TestServer server;
  TestClient client(server.port());
  ASSERT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999\r\n\r\n"));
  for (int i = 0; i < 100; ++i) {
    if (!client.Send(std::string(10'000, 'x'))) break;
  }
  EXPECT_EQ(client.Receive().status, 413);
}

TEST(HttpServerTest, Answers500WhenNobodyAnswers) {
  Elsewhere elsewhere;
  for (bool inline_drop : {true, false}) {
    TestServer server([&](const Request&, Responder responder) {
      responder.response().body() = "half";
      if (inline_drop) return;
      auto held = std::make_shared<Responder>(std::move(responder));
      elsewhere.pool->Run([held]() mutable { held.reset(); });
    });
    TestClient client(server.port());
    const Answer answer = client.Exchange(kGetWithQuery);
    EXPECT_EQ(answer.status, 500);
    EXPECT_NE(answer.body, "half");
    EXPECT_EQ(client.Exchange(kGetWithQuery).status, 500);
  }
}

TEST(HttpServerTest, AHandlerThatThrowsGetsA500) {
  TestServer server([](const Request&, Responder) { throw std::runtime_error("a bug"); });
  TestClient client(server.port());
  EXPECT_EQ(client.Exchange(kGetWithQuery).status, 500);
  EXPECT_EQ(client.Exchange(kGetWithQuery).status, 500);
}

TEST(HttpServerTest, TellsTheHandlerAboutThePeer) {
  const auto describe = [](const Request& request, Responder responder) {
    responder.response().body() = request.secure ? "secure " : "plain ";
    responder.response().body() += request.peer_loopback ? "loopback" : "remote";
    responder.Send();
  };
  struct Case {
    const char* host;
    bool v6_client;
  };
  for (const Case& c : {Case{"127.0.0.1", false}, Case{"localhost", false}, Case{"0.0.0.0", false}, Case{"::1", true},
                        Case{"::", true}, Case{"::", false}}) {
    HttpServerOptions options;
    options.host = c.host;
    TestServer server(describe, options);
    if (!server.started() && std::string_view(c.host).find(':') != std::string_view::npos) {
      GTEST_SKIP() << "no IPv6 here";
    }
    ASSERT_TRUE(server.started()) << c.host;
    TestClient client(server.port(), c.v6_client);
    EXPECT_EQ(client.Exchange(kGetWithQuery).body, "plain loopback") << c.host;
  }
}

TEST(HttpServerTest, ServesManyConnectionsOnSeveralLoops) {
  HttpServerOptions options;
  options.threads = 3;
  TestServer server(Elsewhere(), options);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 30; ++i) clients.push_back(std::make_unique<TestClient>(server.port()));
  for (int round = 0; round < 3; ++round) {
    for (auto& client : clients) ASSERT_TRUE(client->Send(kGetWithQuery));
    for (auto& client : clients) EXPECT_EQ(client->Receive().status, 200);
  }
  EXPECT_EQ(server->connections(), 30);
}

TEST(HttpServerTest, StartFailsWithAReason) {
  FunctionHandler handler(Echo);
  HttpServerOptions options;
  options.host = "not an address";
  EXPECT_EQ(HttpServer::Start(options, &handler).status().code(), Code::kInvalidArgument);

  TestServer server;
  options.host = "127.0.0.1";
  options.port = server.port();
  EXPECT_EQ(HttpServer::Start(options, &handler).status().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace lapse::net
