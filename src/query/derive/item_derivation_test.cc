#include "query/derive/item_derivation.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "doc/json.h"
#include "query/functions/earth_cells.h"
#include "query/sql/computed_property.h"

namespace lapse::query {
namespace {

std::string Bson(std::string_view json) {
  std::string bson;
  EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
  return bson;
}

// Returns the value as JSON, in an object, or nothing if there is none.
std::string Made(const engine::DerivedValue& value, std::string_view document) {
  std::string holder;
  value.Make(Bson(document), &holder);
  std::string json;
  if (!holder.empty()) doc::ObjectToJson(holder, &json);
  return json;
}

TEST(ItemDerivationTest, MakesTheValueOfAComputedProperty) {
  const auto value = ItemDerivation().ValueBy(RuleOfComputed("SELECT VALUE LOWER(c.a) FROM c"));
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(Made(*value, R"({"a":"ABC"})"), R"({"v":"abc"})");
  EXPECT_EQ(Made(*value, R"({"a":1})"), "");
  const auto object = ItemDerivation().ValueBy(RuleOfComputed("SELECT VALUE {'x': c.a, 'y': [c.b, null]} FROM c"));
  EXPECT_EQ(Made(*object, R"({"a":1,"b":2})"), R"({"v":{"x":1,"y":[2,null]}})");
}

TEST(ItemDerivationTest, WhatNeedsTooMuchMemoryHasNoValueAndTheNextOneHas) {
  std::string query = "SELECT VALUE LENGTH(CONCAT(c.a";
  for (int i = 0; i < 80; ++i) query += ", c.a";
  const auto value = ItemDerivation().ValueBy(RuleOfComputed(query + ")) FROM c"));
  EXPECT_EQ(Made(*value, R"({"a":")" + std::string(1'000'000, 'x') + R"("})"), "");
  EXPECT_EQ(Made(*value, R"({"a":"xy"})"), R"({"v":162})");
}

TEST(ItemDerivationTest, ManyThreadsMakeValuesAtOnce) {
  const auto value = ItemDerivation().ValueBy(RuleOfComputed("SELECT VALUE c.a || '!' FROM c"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&value, t] {
      const std::string text = std::to_string(t);
      for (int i = 0; i < 200; ++i)
        EXPECT_EQ(Made(*value, R"({"a":")" + text + R"("})"), R"({"v":")" + text + R"(!"})");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ItemDerivationTest, OnlyWhatIsMadeOfTheDocumentIsForAnIndex) {
  const auto alone = [](std::string_view query) {
    const Result<plan::Plan> plan = sql::PlanComputedProperty(query);
    EXPECT_TRUE(plan.ok()) << query;
    return plan.ok() && LooksAtDocumentAlone(*plan, [](std::string_view name) { return name.starts_with('_'); });
  };
  EXPECT_TRUE(alone("SELECT VALUE c.a + c['b'].c[0] FROM c"));
  EXPECT_TRUE(alone("SELECT VALUE c.a._ts FROM c"));
  EXPECT_TRUE(alone("SELECT VALUE 1 FROM c"));
  EXPECT_FALSE(alone("SELECT VALUE c._ts FROM c"));
  EXPECT_FALSE(alone("SELECT VALUE [c.a, c['_etag']] FROM c"));
  EXPECT_FALSE(alone("SELECT VALUE c FROM c"));
  EXPECT_FALSE(alone("SELECT VALUE IS_DEFINED(c) FROM c"));
}

TEST(ItemDerivationTest, GeometriesHaveMarksOfOneSize) {
  const auto marks = ItemDerivation().MarksBy(kCellsRule);
  ASSERT_NE(marks, nullptr);
  const auto count = [&](std::string_view json) {
    std::set<std::string> made;
    const std::string bson = Bson(json);
    marks->Make(doc::Value(doc::Type::kObject, bson), [&](std::string_view mark) {
      EXPECT_EQ(mark.size(), 7u);
      made.emplace(mark);
    });
    return made.size();
  };
  EXPECT_EQ(count(R"({"type":"Point","coordinates":[12.3,45.6]})"), 1u);
  EXPECT_GT(count(R"({"type":"LineString","coordinates":[[0,0],[10,10]]})"), 4u);
  EXPECT_EQ(count(R"({"type":"Point","coordinates":[12.3,95.6]})"), 0u);
  EXPECT_EQ(count(R"({"a":1})"), 0u);
}

TEST(ItemDerivationTest, OtherRulesAreNotKnown) {
  EXPECT_EQ(ItemDerivation().ValueBy("SELECT VALUE 1 FROM c"), nullptr);
  EXPECT_EQ(ItemDerivation().ValueBy(""), nullptr);
  EXPECT_EQ(ItemDerivation().MarksBy("cells 2"), nullptr);
  EXPECT_TRUE(IsRuleOfComputed(RuleOfComputed("q"), "q"));
  EXPECT_FALSE(IsRuleOfComputed(RuleOfComputed("q"), "r"));
  EXPECT_FALSE(IsRuleOfComputed("", ""));
}

}  // namespace
}  // namespace lapse::query
