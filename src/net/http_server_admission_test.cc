// Tests admission: after the head of a request, the handler decides whether its body may be read.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "net/http_server.h"
#include "net/test_client.h"

namespace lapse::net {
namespace {

constexpr size_t kLongBodyBytes = 3'000'000;

std::string Head(std::string_view key, std::string_view framing) {
  return "POST /p HTTP/1.1\r\nHost: h\r\nX-Key: " + std::string(key) + "\r\n" + std::string(framing) + "\r\n";
}

std::string WithLength(std::string_view key, size_t body_bytes, std::string_view more = "") {
  return Head(key, "Content-Length: " + std::to_string(body_bytes) + "\r\n" + std::string(more));
}

// Admits requests with the key, and counts.
class Doorkeeper {
 public:
  FunctionHandler handler() {
    return FunctionHandler(
        [this](const Request& request, Responder responder) {
          ++handled_;
          Echo(request, std::move(responder));
        },
        [this](const Request& head, Response& refusal) {
          ++asked_;
          EXPECT_TRUE(head.body.empty());
          EXPECT_EQ(head.path, "/p");
          if (head.Header("x-key") == "good") return true;
          refusal.set_status(401);
          refusal.body() = "no key";
          return false;
        });
  }
  int asked() const { return asked_; }
  int handled() const { return handled_; }

 private:
  std::atomic<int> asked_{0};
  std::atomic<int> handled_{0};
};

TEST(HttpServerAdmissionTest, ARefusedRequestIsAnsweredBeforeItsBodyHasCome) {
  for (const std::string& head : {WithLength("bad", kLongBodyBytes), WithLength("bad", kLongBodyBytes) + "some of it",
                                  Head("bad", "Transfer-Encoding: chunked\r\n") + "64\r\nabc"}) {
    Doorkeeper door;
    TestServer server(door.handler());
    TestClient client(server.port());
    const Answer answer = client.Exchange(head);
    EXPECT_EQ(answer.status, 401) << head;
    EXPECT_EQ(answer.body, "no key");
    EXPECT_TRUE(answer.Has("Connection: close")) << "what follows is a body that nobody wanted";
    client.FinishSending();
    EXPECT_TRUE(client.AtEnd());
    EXPECT_EQ(door.handled(), 0);
  }
}

TEST(HttpServerAdmissionTest, ABodyThatIsAlreadyOnItsWayIsNotTakenForARequest) {
  Doorkeeper door;
  TestServer server(door.handler());
  TestClient client(server.port());
  ASSERT_TRUE(client.Send(WithLength("bad", kLongBodyBytes)));
  const std::string hidden = WithLength("good", 0);
  for (size_t sent = 0; sent + hidden.size() <= kLongBodyBytes; sent += hidden.size()) {
    if (!client.Send(hidden)) break;
  }
  EXPECT_EQ(client.Receive().status, 401) << "a client that sends on still sees why";
  client.FinishSending();
  EXPECT_TRUE(client.AtEnd());
  EXPECT_EQ(door.handled(), 0);
}

TEST(HttpServerAdmissionTest, AClientThatWaitsToBeAskedIsRefusedInstead) {
  Doorkeeper door;
  TestServer server(door.handler());
  TestClient refused(server.port());
  EXPECT_EQ(refused.Exchange(WithLength("bad", 5, "Expect: 100-continue\r\n")).status, 401);
  TestClient welcome(server.port());
  EXPECT_EQ(welcome.Exchange(WithLength("good", 5, "Expect: 100-continue\r\n")).status, 100);
  EXPECT_EQ(welcome.Exchange("hello").body, "POST /p  hello");
}

TEST(HttpServerAdmissionTest, TheHandlerIsAskedOnceForEachRequest) {
  Doorkeeper door;
  TestServer server(door.handler());
  TestClient client(server.port());
  for (int i = 1; i <= 3; ++i) {
    std::string body(kLongBodyBytes, static_cast<char>('a' + i));
    ASSERT_TRUE(client.Send(WithLength("good", kLongBodyBytes)));
    ASSERT_TRUE(client.Send(body));
    EXPECT_TRUE(client.Receive().body == "POST /p  " + body);
    EXPECT_EQ(door.handled(), i);
    EXPECT_LE(door.asked(), i);
  }
  EXPECT_GE(door.asked(), 1);
}

TEST(HttpServerAdmissionTest, ARequestInOnePieceIsNotAskedFor) {
  Doorkeeper door;
  TestServer server(door.handler());
  TestClient client(server.port());
  EXPECT_EQ(client.Exchange(WithLength("bad", 2) + "ab").status, 200) << "Handle judges by itself";
  EXPECT_EQ(door.asked(), 0);
  EXPECT_EQ(door.handled(), 1);
}

// The buffer moves while such a head arrives. The handler must see valid views.
TEST(HttpServerAdmissionTest, ALongHeadIsShownWhole) {
  Doorkeeper door;
  TestServer server(door.handler());
  TestClient client(server.port());
  const std::string padding = "X-Padding: " + std::string(40'000, 'p') + "\r\n";
  for (char c : WithLength("good", 3).substr(0, 30)) ASSERT_TRUE(client.Send(std::string_view(&c, 1)));
  ASSERT_TRUE(client.Send(WithLength("good", 3, padding).substr(30)));
  EXPECT_EQ(client.Exchange("abc").body, "POST /p  abc");
  EXPECT_GE(door.handled(), 1);
}

TEST(HttpServerAdmissionTest, AnswersToEarlierRequestsComeFirst) {
  Doorkeeper door;
  TestServer server(door.handler());
  TestClient client(server.port());
  client.Send(WithLength("good", 1) + "a" + WithLength("good", 1) + "b" + WithLength("bad", kLongBodyBytes));
  EXPECT_EQ(client.Receive().body, "POST /p  a");
  EXPECT_EQ(client.Receive().body, "POST /p  b");
  EXPECT_EQ(client.Receive().status, 401);
}

TEST(HttpServerAdmissionTest, AHandlerThatThrowsRefuses) {
  TestServer server(
      FunctionHandler(Echo, [](const Request&, Response&) -> bool { throw std::runtime_error("a bug"); }));
  TestClient client(server.port());
  EXPECT_EQ(client.Exchange(WithLength("good", kLongBodyBytes)).status, 500);
  TestClient next(server.port());
  EXPECT_EQ(next.Exchange(WithLength("good", 0)).status, 200);
}

}  // namespace
}  // namespace lapse::net
