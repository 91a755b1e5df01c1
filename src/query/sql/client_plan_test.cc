#include "query/sql/client_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "query/sql/bind_fixture.h"

namespace lapse::query::sql {
namespace {

// Returns the plan, or one with the error as its rewritten query.
ClientPlan ClientPlanOf(const std::string& text, bool one_key = false) {
  ClientPlan failed;
  auto tree = Parse(text);
  EXPECT_TRUE(tree.ok()) << text << ": " << tree.status().message();
  if (!tree.ok()) return failed;
  const Parameter parameters[] = {{"@n", Value::Int64(42)}, {"@m", Value::Int64(1337)}};
  auto bound = Bind(*tree, parameters);
  EXPECT_TRUE(bound.ok()) << text << ": " << bound.status().message();
  if (!bound.ok()) return failed;
  auto plan = PlanForClients(*tree, *bound, one_key);
  if (plan.ok()) return *plan;
  failed.rewritten = plan.status().message();
  return failed;
}

std::string Rewritten(const std::string& text, bool one_key = false) {
  return ClientPlanOf(text, one_key).rewritten;
}

std::string FeaturesOf(const std::string& text, bool one_key = false) {
  std::string features;
  for (std::string_view feature : ClientPlanOf(text, one_key).features) {
    features.append(features.empty() ? "" : " ").append(feature);
  }
  return features;
}

// Expects that the server can run the rewritten query with a client's filter in it.
void ExpectRuns(const std::string& rewritten) {
  std::string filled = rewritten;
  if (const size_t hole = filled.find(kFilterHole); hole != std::string::npos) {
    filled.replace(hole, kFilterHole.size(), "(c.x > 5 OR IS_STRING(c.x) OR NOT IS_DEFINED(c.x))");
  }
  auto tree = Parse(filled);
  ASSERT_TRUE(tree.ok()) << filled << ": " << tree.status().message();
  const Parameter parameters[] = {{"@n", Value::Int64(42)}, {"@m", Value::Int64(1337)}};
  auto bound = Bind(*tree, parameters);
  EXPECT_TRUE(bound.ok()) << filled << ": " << bound.status().message();
}

TEST(ClientPlanTest, FiltersAndProjectionsStayAsTheyAre) {
  for (const char* text :
       {"SELECT * FROM c", "SELECT c.a, c.b FROM c WHERE c.a = 1 AND c.b > 2", "SELECT VALUE t FROM c JOIN t IN c.tags",
        "SELECT 1", "SELECT TOP 5 * FROM c", "SELECT DISTINCT c.a FROM c"}) {
    EXPECT_EQ(Rewritten(text), "") << text;
  }
  EXPECT_FALSE(ClientPlanOf("SELECT c.a FROM c").has_select_value);
  EXPECT_TRUE(ClientPlanOf("SELECT VALUE c.a FROM c").has_select_value);
}

TEST(ClientPlanTest, OrderByCarriesItsKeys) {
  EXPECT_EQ(Rewritten("SELECT * FROM Root r ORDER BY r.blah"),
            R"(SELECT r._rid, [{"item": r.blah}] AS orderByItems, r AS payload FROM Root AS r )"
            R"(WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY r.blah ASC)");
  EXPECT_EQ(
      Rewritten("SELECT TOP 10 c.blah, c.b.d AS e, c[0] FROM c WHERE c.k IN (1, 2) ORDER BY c.key DESC"),
      R"(SELECT TOP 10 c._rid, [{"item": c.key}] AS orderByItems, {"blah": c.blah, "e": c.b.d, "$1": c[0]} AS payload )"
      R"(FROM c WHERE ((c.k IN (1, 2)) AND ({documentdb-formattableorderbyquery-filter})) ORDER BY c.key DESC)");
  EXPECT_EQ(Rewritten("SELECT VALUE c.blah FROM c ORDER BY c.key"),
            R"(SELECT c._rid, [{"item": c.key}] AS orderByItems, c.blah AS payload FROM c )"
            R"(WHERE (({documentdb-formattableorderbyquery-filter}) AND IS_DEFINED(c.blah)) ORDER BY c.key ASC)");
  const ClientPlan plan = ClientPlanOf("SELECT * FROM c ORDER BY c.a, c[\"b\"] DESC");
  ASSERT_EQ(plan.order_by.size(), 2U);
  EXPECT_EQ(plan.order_by[0].expression, "c.a");
  EXPECT_FALSE(plan.order_by[0].descending);
  EXPECT_EQ(plan.order_by[1].expression, "c[\"b\"]");
  EXPECT_TRUE(plan.order_by[1].descending);
  EXPECT_FALSE(plan.has_non_streaming_order_by);
  for (const char* text :
       {"SELECT * FROM c ORDER BY c.a", "SELECT c.x, t FROM c JOIN t IN c.tags WHERE t > 1 ORDER BY c.x, c.y DESC",
        "SELECT TOP @n VALUE c.x FROM c ORDER BY c.x", "SELECT DISTINCT c.x FROM c ORDER BY c.y OFFSET 1 LIMIT 2",
        "SELECT VALUE c.x + 1 FROM c WHERE c.a = 1 OR c.b = 2 ORDER BY c.x OFFSET @n LIMIT @m"}) {
    ExpectRuns(Rewritten(text));
  }
}

TEST(ClientPlanTest, OrderByVectorDistanceDoesNotStream) {
  const ClientPlan cosine = ClientPlanOf("SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2])");
  EXPECT_TRUE(cosine.has_non_streaming_order_by);
  ASSERT_EQ(cosine.order_by.size(), 1U);
  EXPECT_EQ(cosine.order_by[0].expression, "VectorDistance(c.v, [1, 2])");
  EXPECT_TRUE(cosine.order_by[0].descending);
  ExpectRuns(cosine.rewritten);
  const ClientPlan euclidean = ClientPlanOf(
      "SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2], true, {distanceFunction: 'Euclidean'})");
  EXPECT_FALSE(euclidean.order_by[0].descending);
}

TEST(ClientPlanTest, AggregatesBecomeWhatClientsMerge) {
  EXPECT_EQ(Rewritten("SELECT VALUE AVG(c.a) FROM c"),
            R"(SELECT VALUE [{"item": {"sum": SUM(c.a), "count": COUNT(c.a)}}] FROM c)");
  EXPECT_EQ(Rewritten("SELECT VALUE MIN(c.a + 1) FROM c WHERE c.k > 1"),
            R"(SELECT VALUE [{"item": MIN((c.a + 1)), "item2": {"min": MIN((c.a + 1)), "count": COUNT((c.a + 1))}}] )"
            R"(FROM c WHERE (c.k > 1))");
  EXPECT_EQ(Rewritten("SELECT VALUE COUNT(1) FROM c"), R"(SELECT VALUE [{"item": COUNT(1)}] FROM c)");
  EXPECT_EQ(Rewritten("SELECT TOP 5 VALUE SUM(c.a) FROM c"), R"(SELECT VALUE [{"item": SUM(c.a)}] FROM c)");
  EXPECT_EQ(Rewritten("SELECT MAX(c.a), COUNT(c.a) AS n FROM c"),
            R"(SELECT {"$1": {"item": MAX(c.a), "item2": {"max": MAX(c.a), "count": COUNT(c.a)}}, )"
            R"("n": {"item": COUNT(c.a)}} AS payload FROM c)");
  const ClientPlan value = ClientPlanOf("SELECT VALUE AVG(c.a) FROM c");
  EXPECT_EQ(value.aggregates, std::vector<std::string_view>{"Average"});
  EXPECT_TRUE(value.outputs.empty());
  const ClientPlan list = ClientPlanOf("SELECT MAX(c.a), COUNTIF(c.a > 1) AS n, 5 AS five FROM c");
  EXPECT_TRUE(list.aggregates.empty());
  ASSERT_EQ(list.outputs.size(), 3U);
  EXPECT_EQ(list.outputs[0].alias, "$1");
  EXPECT_EQ(list.outputs[0].aggregate, "Max");
  EXPECT_EQ(list.outputs[1].aggregate, "CountIf");
  EXPECT_EQ(list.outputs[2].aggregate, "");
  for (const char* text : {"SELECT VALUE AVG(c.a) FROM c", "SELECT MIN(c.a), MAX(c.a) FROM c JOIN t IN c.tags",
                           "SELECT MAKELIST(c.a) AS l, MAKESET(c.a) AS s, COUNTIF(c.a) AS n FROM c"}) {
    ExpectRuns(Rewritten(text));
  }
}

TEST(ClientPlanTest, GroupsCarryTheirKeys) {
  EXPECT_EQ(Rewritten("SELECT c.team, COUNT(1) AS n FROM c WHERE c.k = 5 GROUP BY c.team OFFSET 1 LIMIT 2"),
            R"(SELECT [{"item": c.team}] AS groupByItems, {"team": c.team, "n": {"item": COUNT(1)}} AS payload )"
            R"(FROM c WHERE (c.k = 5) GROUP BY c.team)");
  EXPECT_EQ(Rewritten("SELECT TOP 5 VALUE c.name FROM c GROUP BY c.name"),
            R"(SELECT [{"item": c.name}] AS groupByItems, c.name AS payload FROM c GROUP BY c.name)");
  EXPECT_EQ(Rewritten("SELECT VALUE SUM(c.a) FROM c GROUP BY c.name, UPPER(c.b)"),
            R"(SELECT [{"item": c.name}, {"item": UPPER(c.b)}] AS groupByItems, [{"item": SUM(c.a)}] AS payload )"
            R"(FROM c GROUP BY c.name, UPPER(c.b))");
  const ClientPlan plan = ClientPlanOf("SELECT c.name, AVG(c.age) AS age FROM c GROUP BY c.name OFFSET 1 LIMIT 2");
  EXPECT_EQ(plan.group_by, std::vector<std::string>{"c.name"});
  ASSERT_EQ(plan.outputs.size(), 2U);
  EXPECT_EQ(plan.outputs[0].alias, "name");
  EXPECT_EQ(plan.outputs[0].aggregate, "");
  EXPECT_EQ(plan.outputs[1].aggregate, "Average");
  EXPECT_EQ(plan.offset, 1U);
  EXPECT_EQ(plan.limit, 2U);
  ExpectRuns(plan.rewritten);
  ExpectRuns(Rewritten("SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.name"));
}

TEST(ClientPlanTest, Distinct) {
  EXPECT_EQ(ClientPlanOf("SELECT c.a FROM c").distinct, ClientPlan::Distinct::kNone);
  EXPECT_EQ(ClientPlanOf("SELECT DISTINCT c.a FROM c").distinct, ClientPlan::Distinct::kUnordered);
  EXPECT_EQ(ClientPlanOf("SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a").distinct, ClientPlan::Distinct::kOrdered);
  EXPECT_EQ(ClientPlanOf("SELECT DISTINCT VALUE c.a FROM c ORDER BY c.b").distinct, ClientPlan::Distinct::kUnordered);
  EXPECT_EQ(Rewritten("SELECT DISTINCT TOP 5 VALUE c.name FROM c"), "SELECT DISTINCT VALUE c.name FROM c");
  EXPECT_EQ(ClientPlanOf("SELECT DISTINCT TOP 5 VALUE c.name FROM c").top, 5U);
  EXPECT_EQ(Rewritten("SELECT DISTINCT * FROM c WHERE c.k = 5 OFFSET 1 LIMIT 2", true),
            "SELECT DISTINCT * FROM c WHERE (c.k = 5)");
  EXPECT_EQ(Rewritten("SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a OFFSET 1 LIMIT 2"),
            R"(SELECT c._rid, [{"item": c.a}] AS orderByItems, c.a AS payload FROM c )"
            R"(WHERE (({documentdb-formattableorderbyquery-filter}) AND IS_DEFINED(c.a)) ORDER BY c.a ASC)");
}

TEST(ClientPlanTest, TopAndOffsetLimit) {
  EXPECT_EQ(ClientPlanOf("SELECT TOP @n * FROM c").top, 42U);
  const ClientPlan plan = ClientPlanOf("SELECT * FROM c OFFSET @n LIMIT @m");
  EXPECT_EQ(plan.offset, 42U);
  EXPECT_EQ(plan.limit, 1337U);
  EXPECT_EQ(plan.rewritten, "SELECT * FROM c OFFSET 0 LIMIT 1379");
  EXPECT_EQ(Rewritten("SELECT * FROM c OFFSET 0 LIMIT 0"), "SELECT * FROM c OFFSET 0 LIMIT 0");
  const std::string most = Rewritten("SELECT * FROM c OFFSET 4294967295 LIMIT 4294967295");
  EXPECT_EQ(most, "SELECT * FROM c OFFSET 0 LIMIT 4294967295");
  ExpectRuns(most);
}

TEST(ClientPlanTest, OnePartitionKeyNeedsNoMerge) {
  const ClientPlan sorted = ClientPlanOf("SELECT * FROM c WHERE c.k = 5 ORDER BY c.a OFFSET 1 LIMIT 2", true);
  EXPECT_EQ(sorted.rewritten, "");
  EXPECT_TRUE(sorted.order_by.empty());
  EXPECT_FALSE(sorted.offset.has_value() || sorted.limit.has_value());
  EXPECT_EQ(ClientPlanOf("SELECT TOP 5 * FROM c WHERE c.k = 5", true).top, 5U);
  EXPECT_EQ(Rewritten("SELECT VALUE COUNT(1) FROM c WHERE c.k = 5 OFFSET 1 LIMIT 2", true),
            R"(SELECT VALUE [{"item": COUNT(1)}] FROM c WHERE (c.k = 5))");
  EXPECT_EQ(Rewritten("SELECT VALUE x FROM (SELECT DISTINCT VALUE c.a FROM c WHERE c.k = 5) x", true), "");
}

TEST(ClientPlanTest, CountsOfDistinctValues) {
  const ClientPlan value = ClientPlanOf("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.a FROM c)");
  EXPECT_EQ(value.distinct_count, "");
  EXPECT_EQ(value.distinct, ClientPlan::Distinct::kUnordered);
  EXPECT_EQ(value.rewritten, "SELECT DISTINCT VALUE c.a FROM c");
  EXPECT_EQ(ClientPlanOf("SELECT COUNT(1) AS n FROM (SELECT DISTINCT c.a FROM c) AS d").distinct_count, "n");
}

TEST(ClientPlanTest, WhatCannotBeMergedIsRefused) {
  const std::string compositions =
      R"({"Errors":["Compositions of aggregates and other expressions are not allowed."]})";
  for (const char* text :
       {"SELECT VALUE {s: SUM(c.a)} FROM c", "SELECT VALUE [SUM(c.a)] FROM c", "SELECT VALUE FLOOR(AVG(c.a)) FROM c",
        "SELECT c.k, ABS(AVG(c.a)) AS a FROM c GROUP BY c.k"}) {
    EXPECT_EQ(Rewritten(text), compositions) << text;
  }
  for (const char* text :
       {"SELECT VALUE x FROM (SELECT DISTINCT VALUE c.a FROM c) x", "SELECT * FROM (SELECT COUNT(1) AS n FROM c) x",
        "SELECT VALUE SUM(x) FROM (SELECT DISTINCT VALUE c.a FROM c) x",
        "SELECT VALUE COUNT(1) FROM (SELECT c.a FROM c GROUP BY c.a) x"}) {
    EXPECT_TRUE(Rewritten(text).starts_with(R"({"Errors":["DISTINCT, GROUP BY and aggregates in a subquery)")) << text;
  }
}

// A rewritten query that exceeds the limits is refused now, not when the client sends it back.
TEST(ClientPlanTest, RewrittenQueriesStayWithinTheBounds) {
  const std::string list =
      "SELECT VALUE MIN(c.a IN (" + std::string(200'000, ' ') + "'" + std::string(200'000, 'x') + "')) FROM c";
  EXPECT_NE(Rewritten(list).find("SC3020"), std::string::npos);
}

TEST(ClientPlanTest, Features) {
  EXPECT_EQ(FeaturesOf("SELECT * FROM c WHERE c.a = 1"), "");
  EXPECT_EQ(FeaturesOf("SELECT TOP 1 * FROM c ORDER BY c.a"), "Top OrderBy");
  EXPECT_EQ(FeaturesOf("SELECT * FROM c ORDER BY c.a, c.b OFFSET 1 LIMIT 1"), "OffsetAndLimit MultipleOrderBy");
  EXPECT_EQ(FeaturesOf("SELECT * FROM c WHERE c.k = 1 ORDER BY c.a OFFSET 1 LIMIT 1", true), "");
  EXPECT_EQ(FeaturesOf("SELECT DISTINCT c.a FROM c"), "Distinct");
  EXPECT_EQ(FeaturesOf("SELECT VALUE COUNT(1) FROM c"), "Aggregate");
  EXPECT_EQ(FeaturesOf("SELECT COUNT(1) FROM c"), "Aggregate NonValueAggregate");
  EXPECT_EQ(FeaturesOf("SELECT c.a, MIN(c.b), COUNTIF(c.b) FROM c GROUP BY c.a"),
            "Aggregate CountIf GroupBy MultipleAggregates");
  EXPECT_EQ(FeaturesOf("SELECT VALUE MAKESET(c.a) FROM c"), "Aggregate ListAndSetAggregate");
  EXPECT_EQ(FeaturesOf("SELECT TOP 1 * FROM c ORDER BY VectorDistance(c.v, [1])"), "Top OrderBy NonStreamingOrderBy");
  EXPECT_EQ(FeaturesOf("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.a FROM c)"), "DCount Distinct");
}

}  // namespace
}  // namespace lapse::query::sql
