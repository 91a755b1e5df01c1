// Tests the query plan endpoint.
#include <gtest/gtest.h>

#include <string>

#include "api/cosmos/api_fixture.h"

namespace lapse::api::cosmos {
namespace {

class QueryPlanApiTest : public ApiFixture {
 protected:
  static std::string BodyOf(const std::string& query, const std::string& parameters) {
    std::string body = R"({"query":)";
    doc::StringToJson(query, &body);
    return body + R"(,"parameters":)" + parameters + "}";
  }

  Answer Plan(const std::string& query, const std::string& parameters = "[]", Headers headers = {}) {
    headers["x-ms-cosmos-is-query-plan-request"] = "True";
    headers["content-type"] = "application/query+json";
    return Send("POST", "/dbs/db/colls/c/docs", BodyOf(query, parameters), headers);
  }

  std::string RangesOf(const std::string& query, const std::string& parameters = "[]") {
    Answer plan = Plan(query, parameters);
    EXPECT_EQ(plan.status, 200) << plan.body;
    return plan.At("/queryRanges");
  }

  static std::string Point(const std::string& epk) {
    return R"({"min":")" + epk + R"(","max":")" + epk + R"(","isMinInclusive":true,"isMaxInclusive":true})";
  }

  static constexpr std::string_view kEverything =
      R"([{"min":"","max":"FF","isMinInclusive":true,"isMaxInclusive":false}])";
  static constexpr std::string_view kA = "3A5381E1114EB8D3FCC90795045B49B7";     // "a"
  static constexpr std::string_view kFive = "19C08621B135968252FB34B4CF66F811";  // 5
};

TEST_F(QueryPlanApiTest, APlanWithNothingToMerge) {
  MakeItems();
  Answer plan = Plan("SELECT * FROM c");
  EXPECT_EQ(plan.status, 200);
  EXPECT_EQ(plan.body,
            R"({"partitionedQueryExecutionInfoVersion":2,"queryInfo":{"distinctType":"None","top":null,"offset":null,)"
            R"("limit":null,"orderBy":[],"orderByExpressions":[],"groupByExpressions":[],"groupByAliases":[],)"
            R"("aggregates":[],"groupByAliasToAggregateType":{},"rewrittenQuery":"","hasSelectValue":false,)"
            R"("dCountInfo":null,"hasNonStreamingOrderBy":false},"queryRanges":[{"min":"","max":"FF",)"
            R"("isMinInclusive":true,"isMaxInclusive":false}]})");
}

TEST_F(QueryPlanApiTest, WhatClientsMerge) {
  MakeItems();
  Answer sorted = Plan("SELECT TOP @n * FROM c ORDER BY c.a DESC, c.b", R"([{"name":"@n","value":3}])");
  EXPECT_EQ(sorted.At("/queryInfo/top"), "3");
  EXPECT_EQ(sorted.At("/queryInfo/orderBy"), R"(["Descending","Ascending"])");
  EXPECT_EQ(sorted.At("/queryInfo/orderByExpressions"), R"(["c.a","c.b"])");
  Answer groups = Plan("SELECT c.k, AVG(c.n) AS n FROM c GROUP BY c.k OFFSET 1 LIMIT 2");
  EXPECT_EQ(groups.At("/queryInfo/groupByExpressions"), R"(["c.k"])");
  EXPECT_EQ(groups.At("/queryInfo/groupByAliases"), R"(["k","n"])");
  EXPECT_EQ(groups.At("/queryInfo/groupByAliasToAggregateType"), R"({"k":null,"n":"Average"})");
  EXPECT_EQ(groups.At("/queryInfo/offset"), "1");
  EXPECT_EQ(groups.At("/queryInfo/limit"), "2");
  Answer count = Plan("SELECT VALUE COUNT(1) FROM c");
  EXPECT_EQ(count.At("/queryInfo/aggregates"), R"(["Count"])");
  EXPECT_EQ(count.At("/queryInfo/hasSelectValue"), "true");
  EXPECT_EQ(count.At("/queryInfo/rewrittenQuery"), R"("SELECT VALUE [{\"item\": COUNT(1)}] FROM c")");
  Answer distinct = Plan("SELECT COUNT(1) AS n FROM (SELECT DISTINCT VALUE c.a FROM c)");
  EXPECT_EQ(distinct.At("/queryInfo/distinctType"), R"("Unordered")");
  EXPECT_EQ(distinct.At("/queryInfo/dCountInfo"), R"({"dCountAlias":"n"})");
  EXPECT_EQ(Plan("SELECT TOP 1 * FROM c ORDER BY VectorDistance(c.v, [1])").At("/queryInfo/hasNonStreamingOrderBy"),
            "true");
}

TEST_F(QueryPlanApiTest, RangesOfAKey) {
  MakeItems();
  const std::string a(kA);
  const std::string five(kFive);
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.pk = 'a'"), "[" + Point(a) + "]");
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.pk = @p", R"([{"name":"@p","value":5}])"), "[" + Point(five) + "]");
  // Ascending, without duplicates.
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.pk IN ('a', 5, 5.0, 'a')"), "[" + Point(five) + "," + Point(a) + "]");
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.pk > 'a'"), kEverything);
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.id = 'a' OR c.pk = 'a'"), kEverything);
  EXPECT_EQ(Plan("SELECT * FROM c WHERE c.pk = 'a' ORDER BY c.x").At("/queryInfo/rewrittenQuery"), R"("")");
  // A query that no item passes, and one that reads no items, gets its response from one partition.
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.pk = 'a' AND c.pk = 5"), "[" + Point("") + "]");
  EXPECT_EQ(RangesOf("SELECT 1"), "[" + Point("") + "]");
}

TEST_F(QueryPlanApiTest, RangesOfAHierarchicalKey) {
  ASSERT_EQ(Send("POST", "/dbs", R"({"id":"db"})").status, 201);
  ASSERT_EQ(
      Send("POST", "/dbs/db/colls", R"({"id":"c","partitionKey":{"paths":["/x","/y"],"kind":"MultiHash","version":2}})")
          .status,
      201);
  const std::string a(kA);
  const std::string five(kFive);
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.x = 'a' AND c.y = 5"), "[" + Point(a + five) + "]");
  const std::string prefix =
      R"([{"min":")" + a + R"(","max":")" + a + R"(FF","isMinInclusive":true,"isMaxInclusive":false}])";
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.x = 'a'"), prefix);
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.x = 'a' OR (c.x = 'a' AND c.y = 5)"), prefix);
  EXPECT_EQ(RangesOf("SELECT * FROM c WHERE c.y = 5"), kEverything);
}

TEST_F(QueryPlanApiTest, FeaturesThatTheClientHasNot) {
  MakeItems();
  const auto plan = [&](const std::string& query, const std::string& features) {
    return Plan(query, "[]", {{"x-ms-cosmos-supported-query-features", features}});
  };
  EXPECT_EQ(plan("SELECT * FROM c WHERE c.a = 1", "None").status, 200);
  EXPECT_EQ(plan("SELECT TOP 1 * FROM c ORDER BY c.a", "OrderBy, Top").status, 200);
  EXPECT_EQ(plan("SELECT TOP 1 * FROM c ORDER BY c.a", "Aggregate,Top,OrderBy").status, 200);
  EXPECT_EQ(plan("SELECT TOP 1 * FROM c ORDER BY c.a", "OrderBy,TopMost").status, 400);
  Answer refused = plan("SELECT c.a FROM c GROUP BY c.a", "OrderBy,Top");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.Message().find("Query contained GroupBy, which the calling client does not support."),
            std::string::npos);
}

TEST_F(QueryPlanApiTest, Errors) {
  MakeItems();
  Answer wrong = Plan("SELECT BAD(c.a) FROM c");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.At("/code"), R"("BadRequest")");
  EXPECT_NE(wrong.Message().find("Gateway Failed to Retrieve Query Plan: Message: {"), std::string::npos);
  EXPECT_NE(wrong.Message().find("SC2005"), std::string::npos);
  EXPECT_NE(Plan("SELECT VALUE MIN(c.a) / 2 FROM c").Message().find("Compositions of aggregates"), std::string::npos);
  EXPECT_EQ(Plan("SELECT * FROM c WHERE c.a = @missing").status, 400);
  EXPECT_EQ(Send("POST", "/dbs/db/colls/c/docs", "{}", {{"x-ms-cosmos-is-query-plan-request", "True"}}).status, 400);
  EXPECT_EQ(Send("POST", "/dbs/db/colls/no/docs", R"({"query":"SELECT * FROM c"})",
                 {{"x-ms-cosmos-is-query-plan-request", "True"}})
                .status,
            404);
}

}  // namespace
}  // namespace lapse::api::cosmos
