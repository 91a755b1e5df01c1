#include "api/cosmos/wire/call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "api/cosmos/cosmos_api.h"
#include "net/test_sink.h"

namespace lapse::api::cosmos {
namespace {

// Returns the header lines of a response with this failure.
std::string HeadersOfFailure(Code code, int status) {
  ApiContext context{nullptr,
                     nullptr,
                     nullptr,
                     nullptr,
                     Published<Credentials>({*Authenticator::Create("a2V5", ""), AnyHost()}),
                     &RealWallClock()};
  net::Request request;
  request.path = "/";
  auto sink = std::make_shared<net::RecordingSink>();
  Call(&context, &request, net::Responder(sink)).Fail(Status(code, ""));
  EXPECT_EQ(sink->sent(), 1);
  EXPECT_EQ(sink->response().status(), status);
  return sink->response().header_lines();
}

constexpr std::string_view kRetryLine = "x-ms-retry-after-ms: 1000\r\n";

TEST(CallTest, WhatPassesSaysWhenToTryAgain) {
  EXPECT_NE(HeadersOfFailure(Code::kNoSpace, 503).find(kRetryLine), std::string::npos);
  EXPECT_NE(HeadersOfFailure(Code::kUnavailable, 503).find(kRetryLine), std::string::npos);
  EXPECT_NE(HeadersOfFailure(Code::kWouldBlock, 503).find(kRetryLine), std::string::npos);
  EXPECT_EQ(HeadersOfFailure(Code::kNotFound, 404).find("retry"), std::string::npos);
  EXPECT_EQ(HeadersOfFailure(Code::kUnknownOutcome, 500).find("retry"), std::string::npos);
}

TEST(CallTest, SoDoesFraming) {
  net::Response refused;
  CosmosApi::MakeFramingError(503, "too many", refused);
  EXPECT_NE(refused.header_lines().find(kRetryLine), std::string::npos);
  EXPECT_THAT(refused.body(),
              testing::StartsWith(R"({"code":"ServiceUnavailable","message":"too many\r\nActivityId: )"));
  net::Response bad;
  CosmosApi::MakeFramingError(400, "bad", bad);
  EXPECT_EQ(bad.header_lines().find("retry"), std::string::npos);
}

}  // namespace
}  // namespace lapse::api::cosmos
