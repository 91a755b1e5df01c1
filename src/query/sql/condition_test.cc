// Tests which conditions on paths the filters of queries become (plan/condition.h).
#include "query/plan/condition.h"

#include <gtest/gtest.h>

#include <string>

#include "query/plan/describe.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"

namespace lapse::query::sql {
namespace {

std::string ConditionOf(const std::string& text) {
  auto tree = Parse(text);
  if (!tree.ok()) return tree.status().message();
  auto plan = Bind(*tree, {});
  if (!plan.ok()) return plan.status().message();
  const plan::ScanCondition scan = plan::ConditionOfScan(plan->query().last);
  return scan.last == nullptr ? "no scan" : plan::Describe(scan.condition) + (scan.one_row ? "" : ", several rows");
}

std::string Where(const std::string& filter) {
  return ConditionOf("SELECT * FROM c WHERE " + filter);
}

TEST(ConditionTest, Equality) {
  EXPECT_EQ(Where("c.a = 5"), "/a: 5");
  EXPECT_EQ(Where("5 = c.a.b"), "/a/b: 5");
  EXPECT_EQ(Where("c['a'] = null"), "/a: null");
  EXPECT_EQ(Where("c.a = true"), "/a: true");
  EXPECT_EQ(Where("c.a"), "/a: true");
  EXPECT_EQ(Where("c.a = c.b"), "unknown");
  EXPECT_EQ(Where("c.a = undefined"), "nothing");
  EXPECT_EQ(Where("c.a = NaN"), "nothing");
  EXPECT_EQ(Where("c.a + 1 = 5"), "unknown");
}

TEST(ConditionTest, OneOfSeveral) {
  EXPECT_EQ(Where("c.a = 5 AND c.b IN (2, 'x', 1, 2)"), "(/a: 5 and /b: 1, 2, \"x\")");
  EXPECT_EQ(Where("c.a IN (1, 2) OR c.a = 9"), "/a: 1, 2, 9");
  EXPECT_EQ(Where("c.a IN (1, c.b)"), "unknown");
  EXPECT_EQ(Where("c.a IN (undefined)"), "nothing");
}

TEST(ConditionTest, RangesAreWithinOneType) {
  EXPECT_EQ(Where("c.a > 5"), "/a: (5, numbers]");
  EXPECT_EQ(Where("c.a >= 5"), "/a: [5, numbers]");
  EXPECT_EQ(Where("5 > c.a"), "/a: [\"-Infinity\", 5)");
  EXPECT_EQ(Where("c.a <= 'x'"), "/a: [strings, \"x\"]");
  EXPECT_EQ(Where("c.a BETWEEN 1 AND 3"), "/a: [1, 3]");
  EXPECT_EQ(Where("c.a > 1 AND c.a < 3"), "/a: (1, 3)");
  EXPECT_EQ(Where("c.a > 3 AND c.a < 1"), "nothing");
  EXPECT_EQ(Where("c.a > 3 AND c.a < 'x'"), "nothing");
  EXPECT_EQ(Where("c.a > 3 OR c.a < 1 OR c.a = 3"), "/a: [\"-Infinity\", 1), [3, numbers]");
  EXPECT_EQ(Where("c.a < null"), "nothing");
  EXPECT_EQ(Where("c.a <= null"), "/a: null");
}

TEST(ConditionTest, BeginningsOfStrings) {
  EXPECT_EQ(Where("STARTSWITH(c.a, 'ab')"), "/a: \"ab\"*");
  EXPECT_EQ(Where("STARTSWITH(c.a, 'ab', false)"), "/a: \"ab\"*");
  EXPECT_EQ(Where("STARTSWITH(c.a, 'ab', true)"), "/a: ~strings");
  EXPECT_EQ(Where("STARTSWITH(c.a, 5)"), "nothing");
  EXPECT_EQ(Where("c.a LIKE 'ab%'"), "/a: \"ab\"*");
  EXPECT_EQ(Where("c.a LIKE 'ab'"), "/a: \"ab\"");
  EXPECT_EQ(Where("c.a LIKE 'ab%c'"), "/a: ~\"ab\"*");
  EXPECT_EQ(Where("c.a LIKE 'a!%b%' ESCAPE '!'"), "/a: ~\"a\"*");
  EXPECT_EQ(Where("c.a LIKE '%b'"), "/a: ~\"\"*");
  EXPECT_EQ(Where("c.a NOT LIKE 'ab%'"), "unknown");
  EXPECT_EQ(Where("STARTSWITH(c.a, 'ab') AND c.a > 'abc' AND c.a < 'b'"), "/a: (\"abc\", \"ab\"*]");
  EXPECT_EQ(Where("STARTSWITH(c.a, 'ab') AND STARTSWITH(c.a, 'abc')"), "/a: \"abc\"*");
  EXPECT_EQ(Where("STARTSWITH(c.a, 'ab') OR STARTSWITH(c.a, 'abc')"), "/a: \"ab\"*");
}

TEST(ConditionTest, Types) {
  EXPECT_EQ(Where("IS_DEFINED(c.a)"), "/a: [null, objects]");
  EXPECT_EQ(Where("NOT IS_DEFINED(c.a)"), "/a: undefined");
  EXPECT_EQ(Where("IS_NUMBER(c.a) OR IS_STRING(c.a)"), "/a: numbers, strings");
  EXPECT_EQ(Where("IS_INTEGER(c.a)"), "/a: ~numbers");
  EXPECT_EQ(Where("IS_PRIMITIVE(c.a)"), "/a: [null, strings]");
}

TEST(ConditionTest, ElementsOfArrays) {
  EXPECT_EQ(Where("ARRAY_CONTAINS(c.tags, 'x')"), "/tags[]: \"x\"");
  EXPECT_EQ(Where("ARRAY_CONTAINS(c.tags, c.x)"), "unknown");
  EXPECT_EQ(Where("c.a[0] = 5"), "/a[]: ~5");
  // One element may be greater, and another one less.
  EXPECT_EQ(Where("c.a[0].b > 5 AND c.a[1].b < 2"), "~(/a[]/b: ~(5, numbers] and /a[]/b: ~[\"-Infinity\", 2))");
  EXPECT_EQ(ConditionOf("SELECT VALUE 1 FROM c JOIN t IN c.tags WHERE t = 'x'"),
            "~(/tags: ~arrays and /tags[]: ~\"x\"), several rows");
  EXPECT_EQ(ConditionOf("SELECT VALUE 1 FROM c JOIN t IN c.tags JOIN u IN t.u WHERE u.v > 3"),
            "~(/tags: ~arrays and /tags[]/u: ~arrays and /tags[]/u[]/v: ~(3, numbers]), several rows");
  EXPECT_EQ(Where("EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'x')"),
            "~(/tags: ~arrays and /tags[]: ~\"x\" and /tags[]: ~[null, objects])");
  // A group without rows still gives a row.
  EXPECT_EQ(Where("EXISTS(SELECT VALUE COUNT(1) FROM t IN c.tags WHERE t = 'x')"), "unknown");
}

TEST(ConditionTest, AndOrNot) {
  EXPECT_EQ(Where("c.a = 1 AND c.b + 1 = 2"), "/a: ~1");
  EXPECT_EQ(Where("c.a = 1 OR c.b + 1 = 2"), "unknown");
  EXPECT_EQ(Where("c.a = 1 OR c.b = 2"), "(/a: 1 or /b: 2)");
  EXPECT_EQ(Where("c.a = 1 AND (c.b = 2 OR c.d = 3)"), "(/a: 1 and (/b: 2 or /d: 3))");
  EXPECT_EQ(Where("(c.a = 1 AND c.b = 2) OR (c.a = 2 AND c.b = 1)"), "((/a: 1 and /b: 2) or (/a: 2 and /b: 1))");
  EXPECT_EQ(Where("c.a = 1 OR false"), "/a: 1");
  EXPECT_EQ(Where("c.a = 1 AND false"), "nothing");
  EXPECT_EQ(Where("true"), "everything");
  EXPECT_EQ(Where("NOT c.a = 1"), "unknown");
  // Names that look like paths are names.
  EXPECT_EQ(Where("c['a/b'] = 1 OR c.a.b = 2"), "(/a/b: 1 or /a/b: 2)");
}

TEST(ConditionTest, TheWholeChainUpToTheGroupsCounts) {
  EXPECT_EQ(ConditionOf("SELECT VALUE 1"), "no scan");
  EXPECT_EQ(ConditionOf("SELECT * FROM c"), "everything");
  EXPECT_EQ(ConditionOf("SELECT c.x FROM c WHERE c.a = 1"), "/a: 1");
  EXPECT_EQ(ConditionOf("SELECT VALUE c.x FROM c WHERE c.a = 1"), "(/a: 1 and /x: [null, objects])");
  EXPECT_EQ(ConditionOf("SELECT VALUE x.b FROM c.a AS x WHERE x.b = 1"), "(/a: [null, objects] and /a/b: 1)");
  EXPECT_EQ(ConditionOf("SELECT VALUE COUNT(1) FROM c WHERE c.a = 1"), "/a: 1");
  EXPECT_EQ(ConditionOf("SELECT c.a, COUNT(1) FROM c GROUP BY c.a"), "everything");
  EXPECT_EQ(ConditionOf("SELECT VALUE c.a FROM c WHERE c.b = 1 ORDER BY c.d"), "/b: 1");
}

TEST(ConditionTest, ThousandsOfAlternativesAreOneCondition) {
  std::string filter = "c.a = 0";
  for (int i = 1; i < 5000; ++i) filter += " OR c.a = " + std::to_string(i % 100);
  const std::string text = Where(filter);
  EXPECT_TRUE(text.starts_with("/a: 0, 1, 2, 3,")) << text;
  EXPECT_TRUE(text.ends_with(" 98, 99")) << text;
}

TEST(ConditionTest, Places) {
  const std::string point = "{'type': 'Point', 'coordinates': [1, -2.5]}";
  EXPECT_EQ(Where("ST_DISTANCE(c.a, " + point + ") < 30.5"), "/a: ~within 30 m of a geometry");
  EXPECT_EQ(Where("ST_DISTANCE(" + point + ", c.a.b) <= 30"), "/a/b: ~within 30 m of a geometry");
  EXPECT_EQ(Where("30 >= ST_DISTANCE(c.a, " + point + ")"), "/a: ~within 30 m of a geometry");
  EXPECT_EQ(Where("ST_DISTANCE(c.a, " + point + ") BETWEEN 5 AND 9"), "/a: ~within 9 m of a geometry");
  EXPECT_EQ(Where("ST_DISTANCE(c.a, " + point + ") < -1"), "/a: ~within 0 m of a geometry");
  EXPECT_EQ(Where("ST_WITHIN(c.a, " + point + ")"), "/a: ~within 0 m of a geometry");
  EXPECT_EQ(Where("ST_WITHIN(" + point + ", c.a)"), "/a: ~within 0 m of a geometry");
  EXPECT_EQ(Where("ST_INTERSECTS(c.a, " + point + ") = true"), "/a: ~within 0 m of a geometry");
  EXPECT_EQ(Where("EXISTS(SELECT 1 FROM x IN c.a WHERE ST_INTERSECTS(x, " + point + "))"),
            "~(/a: ~arrays and /a[]: ~within 0 m of a geometry)");
  EXPECT_EQ(Where("ST_WITHIN(c.a, " + point + ") AND c.b = 1"), "~(/a: ~within 0 m of a geometry and /b: 1)");
  EXPECT_EQ(Where("ST_WITHIN(c.a, " + point + ") OR c.b = 1"), "~(/a: ~within 0 m of a geometry or /b: 1)");
}

TEST(ConditionTest, PlacesThatSayNothing) {
  const std::string point = "{'type': 'Point', 'coordinates': [1, 2]}";
  EXPECT_EQ(Where("ST_DISTANCE(c.a, " + point + ") > 30"), "unknown");
  EXPECT_EQ(Where("ST_DISTANCE(c.a, c.b) < 30"), "unknown");
  EXPECT_EQ(Where("ST_DISTANCE(c.a, {'type': 'Point', 'coordinates': [c.x, 2]}) < 30"), "unknown");
  EXPECT_EQ(Where("ST_DISTANCE(c.a, " + point + ") < c.d"), "unknown");
  EXPECT_EQ(Where("ST_WITHIN(c.a, " + point + ") = false"), "unknown");
  EXPECT_EQ(Where("NOT ST_WITHIN(c.a, " + point + ")"), "unknown");
  EXPECT_EQ(Where("ST_WITHIN(c, " + point + ")"), "unknown");
}

}  // namespace
}  // namespace lapse::query::sql
