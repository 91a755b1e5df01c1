#include "query/sql/print.h"

#include <gtest/gtest.h>

#include <string>

#include "query/sql/parse.h"
#include "query/sql/random_tree_fixture.h"
#include "query/sql/same_syntax.h"

namespace lapse::query::sql {
namespace {

TEST(PrintTest, RandomTreesParseToTheSameTree) {
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    TreeArena arena(4096);
    const Query* query = RandomTree(&arena, seed).NewQuery();
    Chains chains = seed % 2 == 0 ? Chains::kFlat : Chains::kPairs;
    std::string printed = Print(*query, chains);
    auto again = Parse(printed);
    ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << printed << ": " << again.status().message();
    ASSERT_TRUE(SameSyntax(*query, again->query()))
        << "seed " << seed << ": " << printed << " became " << Print(again->query(), chains);
  }
}

TEST(PrintTest, ALongChainIsFlatUnlessPairsAreAskedFor) {
  auto tree = Parse("SELECT * FROM c WHERE c.a = 1 OR c.b = 2 OR c.c = 3");
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(Print(tree->query()), "SELECT * FROM c WHERE ((c.a = 1) OR (c.b = 2) OR (c.c = 3))");
  EXPECT_EQ(Print(tree->query(), Chains::kPairs), "SELECT * FROM c WHERE (((c.a = 1) OR (c.b = 2)) OR (c.c = 3))");
}

TEST(PrintTest, AnExpressionAlone) {
  auto tree = Parse("SELECT VALUE c['a'].b[0]");
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(Print(*tree->query().items[0].expression), R"(c["a"].b[0])");
}

TEST(PrintTest, AnAliasThatIsNoNameIsQuoted) {
  auto tree = Parse("SELECT 1 'order', 2 AS \"x\", 3 AS 'a b'");
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(Print(tree->query()), R"(SELECT 1 AS "order", 2 AS x, 3 AS "a b")");
}

// The highest trees print with the most brackets.
TEST(PrintTest, TheHighestTreesCanBePrintedAndReadAgain) {
  struct Nest {
    std::string before;
    std::string inside;
    std::string after;
  };
  const Nest nests[] = {
      {"1 ? 1 : ", "1", ""},
      {"1 ?? ", "1", ""},
      {"- ", "1", ""},
      {"NOT ", "true", ""},
      {"[", "1", "]"},
      {"1 IN (", "1", ")"},
      {"{a: ", "1", "}"},
      {"F(", "1", ")"},
      {"(1 + ", "1", ")"},
      {"c[", "1", "]"},
      {"(LET x = ", "1", " IN 1)"},
      {"EXISTS(SELECT VALUE ", "1", ")"},
      {"(SELECT VALUE ", "1", ")"},
      {"(1 BETWEEN ", "1", " AND 1)"},
      {"(1 AND (1 OR ", "1", "))"},
      {"ARRAY(SELECT * FROM (SELECT VALUE ", "1", "))"},
  };
  for (const Nest& nest : nests) {
    int deepest = 0;
    for (int depth = 1; depth <= kTreeHeightMax; ++depth) {
      std::string text = "SELECT VALUE ";
      for (int i = 0; i < depth; ++i) text += nest.before;
      text += nest.inside;
      for (int i = 0; i < depth; ++i) text += nest.after;
      auto tree = Parse(text);
      if (!tree.ok()) {
        EXPECT_NE(tree.status().message().find("SC3021"), std::string::npos) << tree.status().message();
        break;
      }
      deepest = depth;
      std::string printed = Print(tree->query());
      auto again = Parse(printed);
      ASSERT_TRUE(again.ok()) << nest.before << " at depth " << depth << ": " << again.status().message();
      EXPECT_TRUE(SameSyntax(tree->query(), again->query()));
    }
    EXPECT_GT(deepest, kTreeHeightMax / 4) << nest.before;
    EXPECT_LT(deepest, kTreeHeightMax) << nest.before;
  }
}

}  // namespace
}  // namespace lapse::query::sql
