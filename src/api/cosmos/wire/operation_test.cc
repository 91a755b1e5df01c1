#include "api/cosmos/wire/operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

net::Request Asking(std::string_view method, std::string_view path, std::vector<net::HeaderField> headers = {}) {
  net::Request request;
  request.method = method;
  request.path = path;
  request.headers = std::move(headers);
  return request;
}

std::string_view NameOf(const net::Request& request) {
  Route route;
  route.Parse(request.path);
  return OperationName(OperationOf(route.kind(), request));
}

TEST(OperationTest, EachRequestHasAName) {
  constexpr std::string_view kItems = "/dbs/d/colls/c/docs", kItem = "/dbs/d/colls/c/docs/i";
  EXPECT_EQ(NameOf(Asking("POST", kItems)), "create");
  EXPECT_EQ(NameOf(Asking("POST", kItems, {{"x-ms-documentdb-is-upsert", "True"}})), "upsert");
  EXPECT_EQ(NameOf(Asking("POST", kItems, {{"x-ms-documentdb-isquery", "true"}})), "query");
  EXPECT_EQ(NameOf(Asking("POST", kItems, {{"content-type", "application/query+json"}})), "query");
  EXPECT_EQ(NameOf(Asking("POST", kItems, {{"x-ms-cosmos-is-query-plan-request", "True"}})), "query");
  EXPECT_EQ(NameOf(Asking("POST", kItems, {{"x-ms-cosmos-is-batch-request", "True"}})), "batch");
  // In the order of precedence: a batch, then a query, then an upsert.
  constexpr net::HeaderField kUpsert{"x-ms-documentdb-is-upsert", "True"}, kQuery{"x-ms-documentdb-isquery", "True"};
  EXPECT_EQ(NameOf(Asking("POST", kItems, {kUpsert, kQuery})), "query");
  EXPECT_EQ(NameOf(Asking("POST", kItems, {kUpsert, kQuery, {"x-ms-cosmos-is-batch-request", "True"}})), "batch");
  EXPECT_EQ(NameOf(Asking("GET", kItems)), "feed");
  EXPECT_EQ(NameOf(Asking("GET", kItems, {{"A-IM", "Incremental feed"}})), "change_feed");
  EXPECT_EQ(NameOf(Asking("GET", kItem)), "read");
  EXPECT_EQ(NameOf(Asking("PUT", kItem)), "replace");
  EXPECT_EQ(NameOf(Asking("DELETE", kItem)), "delete");
  EXPECT_EQ(NameOf(Asking("PATCH", kItem)), "patch");
  EXPECT_EQ(NameOf(Asking("PATCH", kItems)), "other");
  EXPECT_EQ(NameOf(Asking("POST", kItem)), "other");
  for (std::string_view path : {"/", "/dbs", "/dbs/d", "/dbs/d/colls", "/dbs/d/colls/c", "/dbs/d/colls/c/pkranges",
                                "/offers", "/offers/abcd"}) {
    EXPECT_EQ(NameOf(Asking("GET", path)), "catalog") << path;
  }
  EXPECT_EQ(NameOf(Asking("GET", "/nowhere")), "other");
}

struct SilentSink : net::Responder::Sink {
  net::Response& response() override { return answer; }
  void Send() override {}

  net::Response answer;
};

TEST(OperationTest, AnAnswerCountsTheTimeSinceTheRequest) {
  MetricsRegistry metrics;
  ManualSteadyClock steady;
  ApiContext context{.engine = nullptr,
                     .blocking = nullptr,
                     .turning = nullptr,
                     .changing = nullptr,
                     .credentials = Published<Credentials>({*Authenticator::Create("a2V5", ""), AnyHost()}),
                     .wall = &RealWallClock(),
                     .steady = &steady,
                     .times = MakeOperationTimes(&metrics)};
  net::Request request = Asking("GET", "/dbs/d/colls/c/docs/i");
  Call call(&context, &request, net::Responder(std::make_shared<SilentSink>()));
  steady.AdvanceMs(3);
  call.Send(200, 0);
  const std::string text = metrics.PrometheusText();
  EXPECT_THAT(text, HasSubstr("lapse_cosmos_request_seconds_bucket{operation=\"read\",le=\"0.0025\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("lapse_cosmos_request_seconds_bucket{operation=\"read\",le=\"0.005\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("lapse_cosmos_request_seconds_sum{operation=\"read\"} 0.003\n"));
  EXPECT_THAT(text, HasSubstr("lapse_cosmos_request_seconds_count{operation=\"create\"} 0\n"));
}

}  // namespace
}  // namespace lapse::api::cosmos
