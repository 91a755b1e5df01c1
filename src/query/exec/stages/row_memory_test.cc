// Tests that many rows of one item need no more memory than one unless they are kept, and that kept memory is counted.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "doc/json.h"
#include "query/exec/items/listed_items.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/json_text.h"

namespace lapse::query::exec {
namespace {

constexpr size_t kMemory = size_t{1} << 20;
constexpr std::string_view kTooMuch = "needs more memory";

class RowMemoryTest : public ::testing::Test {
 protected:
  // A text of 20 KB and 200 words. Changing the text once for each word takes 4 MB.
  RowMemoryTest() {
    std::string words;
    for (int i = 0; i < 200; ++i) words += (i == 0 ? "\"W" : ",\"W") + std::to_string(i) + "\"";
    const std::string json =
        R"({"id":"a","text":")" + std::string(20'000, 'X') + R"( w7 ","words":[)" + words + R"(],"few":[1,2,3]})";
    std::string bson;
    EXPECT_TRUE(doc::JsonToBson(json, {}, &bson).ok());
    items_.push_back({"a", bson});
  }

  // Returns the results separated by commas, or the error.
  std::string Ask(const std::string& text) {
    auto tree = sql::Parse(text);
    EXPECT_TRUE(tree.ok()) << text;
    auto plan = sql::Bind(*tree, {});
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    PageOptions options;
    options.results_max = 1000;
    options.settings.memory_bytes_max = kMemory;
    std::string results;
    const auto take = [&](Value result, engine::Place) {
      if (!results.empty()) results += ',';
      AppendJson(result, &results);
      return true;
    };
    ListedItems source([&](std::string_view after) -> Result<std::vector<ListedItem>> {
      return after.empty() ? items_ : std::vector<ListedItem>();
    });
    auto read = ReadQueryPage(*plan, &source, options, take);
    return read.ok() ? results : read.status().message();
  }

  std::vector<ListedItem> items_;
};

TEST_F(RowMemoryTest, WhatRowsMakeIsFreeAfterEachOfThem) {
  EXPECT_EQ(Ask("SELECT VALUE w FROM c JOIN w IN c.words WHERE CONTAINS(LOWER(c.text), LOWER(w))"), R"("W7")");
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c JOIN w IN c.words WHERE CONTAINS(LOWER(c.text), LOWER(w))"), "1");
  EXPECT_EQ(Ask("SELECT VALUE LENGTH(LOWER(c.text)) FROM c JOIN w IN c.words WHERE w >= 'W98'"), "20004,20004");
  EXPECT_EQ(Ask("SELECT VALUE COUNT(LOWER(c.text)) FROM c JOIN w IN c.words"), "200");
  EXPECT_EQ(Ask("SELECT DISTINCT VALUE LENGTH(LOWER(c.text)) FROM c JOIN w IN c.words"), "20004");
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c JOIN w IN c.words JOIN x IN c.words WHERE CONTAINS(LOWER(c.text), x) OR "
                "LOWER(w) = x"),
            "0");
}

TEST_F(RowMemoryTest, AlsoInSubqueries) {
  EXPECT_EQ(Ask("SELECT VALUE EXISTS(SELECT VALUE w FROM w IN c.words WHERE CONTAINS(LOWER(c.text), w)) FROM c"),
            "false");
  EXPECT_EQ(
      Ask("SELECT VALUE (SELECT VALUE COUNT(1) FROM w IN c.words WHERE CONTAINS(LOWER(c.text), LOWER(w))) FROM c"),
      "1");
  EXPECT_EQ(Ask("SELECT VALUE (SELECT VALUE MAX(LOWER(w)) FROM w IN c.words WHERE LENGTH(LOWER(c.text)) > 5) FROM c"),
            R"("w99")");
  EXPECT_EQ(Ask("SELECT VALUE ARRAY(SELECT VALUE LOWER(w) FROM w IN c.words WHERE CONTAINS(LOWER(c.text), LOWER(w))) "
                "FROM c"),
            R"(["w7"])");
  EXPECT_EQ(Ask("SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT DISTINCT VALUE LENGTH(w) FROM w IN c.words WHERE "
                "LENGTH(LOWER(c.text)) > 5)) FROM c"),
            "3");
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c JOIN w IN c.words WHERE ARRAY_LENGTH(ARRAY(SELECT VALUE LOWER(c.text) "
                "FROM x IN c.few)) = 3"),
            "200")
      << "what a sub-query keeps is free after the row around it";
}

TEST_F(RowMemoryTest, WhatIsKeptOfARowIsAllThatStaysOfIt) {
  const std::string where = " FROM w IN c.words WHERE LENGTH(LOWER(c.text)) > 5";
  EXPECT_EQ(Ask("SELECT VALUE LAST(SELECT VALUE w" + where + ") FROM c"), R"("W199")");
  EXPECT_EQ(Ask("SELECT VALUE LENGTH(LAST(SELECT VALUE LOWER(c.text)" + where + ")) FROM c"), "20004");
  EXPECT_EQ(Ask("SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT VALUE w" + where + ")) FROM c"), "200");
  EXPECT_EQ(Ask("SELECT VALUE ARRAY(SELECT DISTINCT VALUE LEFT(REPLICATE(w, 2500), 2)" + where + ") FROM c"),
            R"(["W0","W1","W2","W3","W4","W5","W6","W7","W8","W9"])");
  EXPECT_EQ(Ask("SELECT VALUE ARRAY_LENGTH((SELECT VALUE MAKESET(LEFT(REPLICATE(w, 2500), 3))" + where + ")) FROM c"),
            "100");
  EXPECT_EQ(Ask("SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT LEFT(REPLICATE(w, 2500), 3) AS k, COUNT(1) AS n" + where +
                " GROUP BY LEFT(REPLICATE(w, 2500), 3))) FROM c"),
            "100");
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c JOIN (SELECT DISTINCT VALUE LEFT(REPLICATE(w, 2500), 3)" + where + ") x"),
            "100");
}

// The first row that asks for the whole item makes it, and all rows use it.
TEST_F(RowMemoryTest, TheItemItselfStays) {
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c JOIN w IN c.words WHERE IS_OBJECT(c) AND LOWER(c.text) != w AND "
                "OBJECTTOARRAY(c)[0].v = 'a'"),
            "200");
  EXPECT_EQ(Ask("SELECT VALUE [f, c.few] FROM c JOIN f IN c.few WHERE EXISTS(SELECT VALUE o FROM o IN "
                "(SELECT VALUE OBJECTTOARRAY(c)) WHERE o.k = 'few')"),
            "[1,[1,2,3]],[2,[1,2,3]],[3,[1,2,3]]");
}

TEST_F(RowMemoryTest, WhatIsKeptIsCounted) {
  EXPECT_NE(Ask("SELECT VALUE ARRAY(SELECT VALUE 1 FROM w IN c.words JOIN x IN c.words JOIN y IN c.words) FROM c")
                .find(kTooMuch),
            std::string::npos);
  EXPECT_NE(Ask("SELECT VALUE ARRAY(SELECT VALUE LOWER(c.text) FROM w IN c.words) FROM c").find(kTooMuch),
            std::string::npos);
  EXPECT_NE(Ask("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE CONCAT(LOWER(c.text), w) FROM c JOIN w IN c.words)")
                .find(kTooMuch),
            std::string::npos);
}

// However many sub-queries there are.
TEST_F(RowMemoryTest, AllSubqueriesHaveOneBudget) {
  // Keeps eight texts of 20 KB for the sake of one number.
  const std::string eight =
      "(SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE CONCAT(LOWER(c.text), w) FROM w IN c.words WHERE w < "
      "'W105'))";
  std::string many = eight;
  for (int i = 1; i < 8; ++i) many += ", " + eight;
  EXPECT_EQ(Ask("SELECT VALUE " + eight + " FROM c"), "8");
  EXPECT_EQ(Ask("SELECT VALUE [" + many + "] FROM c"), "The query needs more memory than a query may have.");
}

// Kept values are correct, however much is freed beside them.
TEST_F(RowMemoryTest, WhatIsKeptStays) {
  EXPECT_EQ(Ask("SELECT VALUE ARRAY(SELECT VALUE {\"f\": f, \"l\": LOWER(w)} FROM f IN c.few JOIN w IN c.words WHERE "
                "STARTSWITH(LOWER(c.text), 'x') AND LOWER(w) = 'w7') FROM c"),
            R"([{"f":1,"l":"w7"},{"f":2,"l":"w7"},{"f":3,"l":"w7"}])");
  EXPECT_EQ(Ask("SELECT VALUE ARRAY(SELECT LOWER(LEFT(w, 2)) AS k, MIN(LOWER(w)) AS least, COUNT(1) AS n FROM w IN "
                "c.words WHERE LENGTH(LOWER(c.text)) > 5 AND w < 'W12' GROUP BY LOWER(LEFT(w, 2))) FROM c"),
            R"([{"k":"w0","least":"w0","n":1},{"k":"w1","least":"w1","n":23}])");
  EXPECT_EQ(Ask("SELECT LOWER(LEFT(w, 3)) AS k, MAX(LOWER(w)) AS most FROM c JOIN w IN c.words WHERE "
                "LENGTH(LOWER(c.text)) > 5 AND w < 'W101' GROUP BY LOWER(LEFT(w, 3))"),
            R"({"k":"w0","most":"w0"},{"k":"w1","most":"w1"},{"k":"w10","most":"w100"})");
  EXPECT_EQ(
      Ask("SELECT VALUE LAST(SELECT VALUE CONCAT('-', w) FROM w IN c.words WHERE LENGTH(LOWER(c.text)) > 5 AND w < "
          "'W11') FROM c"),
      R"("-W109")");
}

}  // namespace
}  // namespace lapse::query::exec
