#include "net/output_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace lapse::net {
namespace {

std::string Drain(OutputQueue* queue, size_t piece = 1 << 30) {
  std::string bytes;
  while (!queue->empty()) {
    const std::string_view front = queue->Front().substr(0, piece);
    bytes.append(front);
    queue->ConsumeFront(front.size());
  }
  return bytes;
}

std::string Encode(int status, std::string_view body, AnswerFraming framing = {}) {
  Response response;
  response.set_status(status);
  response.AddHeader("A", "b");
  response.body() = body;
  OutputQueue queue;
  queue.AppendAnswer(response, framing);
  return Drain(&queue);
}

TEST(OutputQueueTest, FramesAnAnswer) {
  EXPECT_EQ(Encode(200, "hi", {.date_line = "Date: now\r\n"}),
            "HTTP/1.1 200 OK\r\nDate: now\r\nA: b\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_EQ(Encode(404, ""), "HTTP/1.1 404 Not Found\r\nA: b\r\nContent-Length: 0\r\n\r\n");
}

TEST(OutputQueueTest, TellsWhatBecomesOfTheConnection) {
  EXPECT_EQ(Encode(200, "", {.close = true}),
            "HTTP/1.1 200 OK\r\nConnection: close\r\nA: b\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(Encode(200, "", {.http_1_0 = true}),
            "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nA: b\r\nContent-Length: 0\r\n\r\n");
}

TEST(OutputQueueTest, SendsNoBodyWhereNoneMayBe) {
  EXPECT_EQ(Encode(200, "hi", {.head_only = true}), "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(Encode(204, "hi"), "HTTP/1.1 204 No Content\r\nA: b\r\n\r\n");
  EXPECT_EQ(Encode(304, "hi"), "HTTP/1.1 304 Not Modified\r\nA: b\r\n\r\n");
}

TEST(OutputQueueTest, GathersSmallAnswersInOneFront) {
  OutputQueue queue;
  Response response;
  response.body() = "x";
  queue.AppendAnswer(response, {});
  const size_t one = queue.Front().size();
  queue.AppendAnswer(response, {});
  EXPECT_EQ(queue.Front().size(), 2 * one);
  EXPECT_FALSE(queue.full());
}

TEST(OutputQueueTest, LargeBodyFollowsItsHeadHoweverItIsTaken) {
  const std::string body(1'000'000, 'b');
  for (size_t piece : {size_t{1} << 30, size_t{70'001}}) {
    OutputQueue queue;
    Response response;
    queue.AppendText("before ");
    response.body() = body;
    queue.AppendAnswer(response, {});
    EXPECT_TRUE(queue.full());
    EXPECT_EQ(Drain(&queue, piece), "before HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + body);
    EXPECT_FALSE(queue.full());
  }
}

}  // namespace
}  // namespace lapse::net
