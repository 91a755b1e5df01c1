#include "query/exec/single_item/computed_values.h"

#include <gtest/gtest.h>

#include <string>

#include "doc/json.h"
#include "doc/value.h"
#include "query/sql/computed_property.h"
#include "query/values/json_text.h"

namespace lapse::query::exec {
namespace {

class Document : public ItemView {
 public:
  explicit Document(std::string_view json) { EXPECT_TRUE(doc::JsonToBson(json, {}, &bson_).ok()); }
  Value Property(std::string_view name, Arena*) const override { return Value::FromBson(doc::Find(bson_, name)); }
  Value Whole(Arena*) const override { return Value::Object(bson_); }

 private:
  std::string bson_;
};

std::string ValueOf(std::string_view query, std::string_view json, size_t memory_bytes_max = 1 << 20) {
  EvalSettings settings;
  settings.memory_bytes_max = memory_bytes_max;
  ComputedValues values(settings);
  values.Define("v", [query] { return sql::PlanComputedProperty(query); });
  EXPECT_TRUE(values.Has("v"));
  EXPECT_FALSE(values.Has("w"));
  Arena arena(1 << 20);
  const Value value = values.Of("v", Document(json), &arena);
  if (arena.exhausted()) return "exhausted";
  if (value.IsUndefined()) return "undefined";
  std::string text;
  AppendJson(value, &text);
  return text;
}

TEST(ComputedValuesTest, AreMadeOfTheItem) {
  EXPECT_EQ(ValueOf("SELECT VALUE LOWER(c.name) FROM c", R"({"name":"ABC"})"), R"("abc")");
  EXPECT_EQ(ValueOf("SELECT VALUE r.a.b * 2 FROM root r", R"({"a":{"b":21}})"), "42");
  EXPECT_EQ(ValueOf("SELECT VALUE {'x': c.a, 'y': [c.b]} FROM c", R"({"a":1,"b":null})"), R"({"x":1,"y":[null]})");
  EXPECT_EQ(ValueOf("SELECT VALUE c.missing FROM c", R"({"a":1})"), "undefined");
  EXPECT_EQ(ValueOf("SELECT VALUE 5 FROM c", "{}"), "5");
  EXPECT_EQ(ValueOf("SELECT VALUE IIF(c.a > 1, 'big', 'small') FROM c", R"({"a":2})"), R"("big")");
}

TEST(ComputedValuesTest, ADefinitionThatIsWrongHasNoValue) {
  EXPECT_EQ(ValueOf("SELEC", "{}"), "undefined");
}

TEST(ComputedValuesTest, ExhaustWhoeverAskedWhenTheyNeedTooMuchMemory) {
  EXPECT_EQ(ValueOf("SELECT VALUE REPLICATE(c.a, 10000) FROM c", R"({"a":"x"})", 1000), "exhausted");
}

TEST(ComputedPropertyTest, DefinitionsAreOneValueOfOneItem) {
  for (const char* query :
       {"SELECT VALUE c.a FROM c", "SELECT VALUE LOWER(c.a) FROM c", "SELECT VALUE c.a ?? c.b FROM MyContainer c",
        "SELECT VALUE c.a IN (1, 2) FROM c", "SELECT VALUE ARRAY_CONTAINS(c.t, 1) FROM c"}) {
    EXPECT_TRUE(sql::PlanComputedProperty(query).ok()) << query;
  }
  for (const char* query : {"",
                            "SELECT",
                            "SELECT c.a FROM c",
                            "SELECT * FROM c",
                            "SELECT VALUE 1",
                            "SELECT VALUE t FROM t IN c.t",
                            "SELECT VALUE x FROM c.a x",
                            "SELECT VALUE t FROM c JOIN t IN c.t",
                            "SELECT VALUE x FROM (SELECT VALUE c FROM c) x",
                            "SELECT VALUE c.a FROM c WHERE c.a > 1",
                            "SELECT VALUE c.a FROM c ORDER BY c.a",
                            "SELECT VALUE c.a FROM c GROUP BY c.a",
                            "SELECT TOP 1 VALUE c.a FROM c",
                            "SELECT DISTINCT VALUE c.a FROM c",
                            "SELECT VALUE c.a FROM c OFFSET 1 LIMIT 1",
                            "SELECT VALUE COUNT(1) FROM c",
                            "SELECT VALUE RAND() FROM c",
                            "SELECT VALUE GetCurrentDateTime() FROM c",
                            "SELECT VALUE 1 + GetCurrentTimestamp() FROM c",
                            "SELECT VALUE ST_AREA(c.p) FROM c",
                            "SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.t) FROM c",
                            "SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.t) FROM c",
                            "SELECT VALUE (SELECT VALUE 1) FROM c",
                            "SELECT VALUE ALL(SELECT VALUE t FROM t IN c.t) FROM c",
                            "SELECT VALUE @p FROM c",
                            "SELECT VALUE udf.f(c.a) FROM c",
                            "SELECT VALUE d.a FROM c",
                            "SELECT VALUE NOSUCH(c.a) FROM c"}) {
    EXPECT_EQ(sql::PlanComputedProperty(query).status().code(), Code::kInvalidArgument) << query;
  }
}

}  // namespace
}  // namespace lapse::query::exec
