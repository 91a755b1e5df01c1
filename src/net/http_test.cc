#include "net/http.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "net/test_sink.h"

namespace lapse::net {
namespace {

TEST(RequestTest, FindsTheFirstHeaderOfANameIgnoringCase) {
  Request request;
  request.headers = {{"X-Ms-Date", "a"}, {"x-ms-date", "b"}, {"Empty", ""}};
  EXPECT_EQ(request.Header("x-ms-date"), "a");
  EXPECT_EQ(request.Header("x-ms-dat"), "");
  EXPECT_TRUE(request.HasHeader("empty"));
  EXPECT_FALSE(request.HasHeader("absent"));
}

TEST(RequestTest, FindsARepeatedHeaderThatMustHaveOneValue) {
  auto has_one_value = [](std::string_view name) { return name.size() == 4; };
  Request request;
  request.headers = {{"Date", "a"}, {"Accept", "x"}, {"accept", "y"}, {"Test", "1"}};
  EXPECT_EQ(request.RepeatedHeader(has_one_value), "");
  request.headers.push_back({"date", "a"});
  EXPECT_EQ(request.RepeatedHeader(has_one_value), "date");
}

TEST(ResponseTest, HoldsHeaderLinesInOrder) {
  Response response;
  response.AddHeader("a", "b");
  response.AddHeader("n", int64_t{-7});
  EXPECT_EQ(response.header_lines(), "a: b\r\nn: -7\r\n");
}

TEST(ResponseTest, AValueCannotBeginAnotherLine) {
  Response response;
  response.AddHeader("a", "b\r\nSet-Cookie: x\n");
  EXPECT_EQ(response.header_lines(), "a: bSet-Cookie: x\r\n");
}

TEST(ResponseTest, IsEmptyAfterReset) {
  Response response;
  response.set_status(404);
  response.AddHeader("a", "b");
  response.body() = "text";
  response.Reset();
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.header_lines(), "");
  EXPECT_EQ(response.body(), "");
}

TEST(ResponderTest, AnswersOnceWhenSent) {
  auto sink = std::make_shared<RecordingSink>();
  {
    Responder responder(sink);
    Responder moved(std::move(responder));
    moved.response().set_status(201);
    moved.Send();
  }
  EXPECT_EQ(sink->sent(), 1);
  EXPECT_EQ(sink->response().status(), 201);
}

TEST(ResponderTest, Answers500WhenDropped) {
  auto sink = std::make_shared<RecordingSink>();
  {
    Responder responder(sink);
    responder.response().body() = "half an answer";
    Responder moved(std::move(responder));
  }
  EXPECT_EQ(sink->sent(), 1);
  EXPECT_EQ(sink->response().status(), 500);
  EXPECT_EQ(sink->response().body(), "");
}

TEST(ReasonPhraseTest, EveryStatusHasOne) {
  EXPECT_EQ(ReasonPhrase(404), "Not Found");
  EXPECT_FALSE(ReasonPhrase(799).empty());
}

}  // namespace
}  // namespace lapse::net
