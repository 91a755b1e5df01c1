#include "api/cosmos/wire/request_form.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

namespace lapse::api::cosmos {
namespace {

Form FormOfRequest(std::string_view method, std::string_view path, std::vector<net::HeaderField> headers = {}) {
  net::Request request;
  request.method = method;
  request.path = path;
  request.headers = std::move(headers);
  Route route;
  route.Parse(path);
  return FormOf(route.kind(), request);
}

constexpr std::string_view kItems = "/dbs/d/colls/c/docs", kItem = "/dbs/d/colls/c/docs/i";
constexpr net::HeaderField kQuery{"content-type", "application/query+json"};
constexpr net::HeaderField kIsQuery{"x-ms-documentdb-isquery", "True"};
constexpr net::HeaderField kPlan{"x-ms-cosmos-is-query-plan-request", "True"};
constexpr net::HeaderField kUpsert{"x-ms-documentdb-is-upsert", "True"};
constexpr net::HeaderField kBatch{"x-ms-cosmos-is-batch-request", "True"};

TEST(RequestFormTest, VerbsOfFeedsAndOfSingleResources) {
  EXPECT_EQ(FormOfRequest("GET", kItems), Form::kList);
  EXPECT_EQ(FormOfRequest("GET", kItems, {{"A-IM", "Incremental feed"}}), Form::kChangeFeed);
  EXPECT_EQ(FormOfRequest("POST", kItems), Form::kCreate);
  EXPECT_EQ(FormOfRequest("POST", kItems, {kUpsert}), Form::kUpsert);
  EXPECT_EQ(FormOfRequest("PUT", kItems), Form::kNone);
  EXPECT_EQ(FormOfRequest("GET", kItem), Form::kRead);
  EXPECT_EQ(FormOfRequest("PUT", kItem), Form::kReplace);
  EXPECT_EQ(FormOfRequest("PATCH", kItem), Form::kPatch);
  EXPECT_EQ(FormOfRequest("DELETE", kItem), Form::kDelete);
  EXPECT_EQ(FormOfRequest("POST", kItem), Form::kNone);
  EXPECT_EQ(FormOfRequest("GET", "/"), Form::kRead);
}

TEST(RequestFormTest, ABatchNeverPassesAsAQuery) {
  EXPECT_EQ(FormOfRequest("POST", kItems, {kQuery, kIsQuery, kPlan, kUpsert, kBatch}), Form::kBatch);
  EXPECT_EQ(FormOfRequest("POST", kItems, {kQuery, kUpsert}), Form::kQuery);
  EXPECT_EQ(FormOfRequest("POST", kItems, {kQuery, kPlan}), Form::kPlan);
}

TEST(RequestFormTest, AStoredProcedureNeverPassesAsAQuery) {
  EXPECT_EQ(FormOfRequest("POST", "/dbs/d/colls/c/sprocs/s", {kQuery, kIsQuery, kPlan}), Form::kExecute);
  EXPECT_EQ(FormOfRequest("POST", "/dbs/d/colls/c/operations/partitionkeydelete", {kQuery, kPlan}), Form::kExecute);
}

TEST(RequestFormTest, OnlySomeResourcesHaveUpserts) {
  EXPECT_EQ(FormOfRequest("POST", "/dbs/d/users", {kUpsert}), Form::kUpsert);
  EXPECT_EQ(FormOfRequest("POST", "/dbs/d/users/u/permissions", {kUpsert}), Form::kUpsert);
  EXPECT_EQ(FormOfRequest("POST", "/dbs", {kUpsert}), Form::kCreate);
  EXPECT_EQ(FormOfRequest("POST", "/dbs/d/colls", {kUpsert}), Form::kCreate);
  EXPECT_EQ(FormOfRequest("POST", "/dbs", {kBatch}), Form::kCreate);
}

}  // namespace
}  // namespace lapse::api::cosmos
