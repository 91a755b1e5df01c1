#include "query/exec/items/listed_items.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "doc/json.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/json_text.h"

namespace lapse::query::exec {
namespace {

class ListedItemsTest : public ::testing::Test {
 protected:
  void Add(const std::string& key, const std::string& json) {
    std::string bson;
    ASSERT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
    items_.push_back({key, bson});
  }

  // Returns all pages separated by spaces, with the results of each separated by commas.
  std::string Read(const std::string& text, int results_max = 100) {
    auto tree = sql::Parse(text);
    EXPECT_TRUE(tree.ok()) << text;
    auto plan = sql::Bind(*tree, {});
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    std::string pages;
    PageOptions options;
    options.results_max = results_max;
    do {
      std::string page;
      const auto take = [&](Value result, engine::Place) {
        if (!page.empty()) page += ',';
        AppendJson(result, &page);
        return true;
      };
      // Two at a time.
      ListedItems source([&](std::string_view after) -> Result<std::vector<ListedItem>> {
        std::vector<ListedItem> next;
        for (const ListedItem& item : items_) {
          if (item.key > after && next.size() < 2) next.push_back(item);
        }
        return next;
      });
      auto read = ReadQueryPage(*plan, &source, options, take);
      EXPECT_TRUE(read.ok()) << read.status().message();
      if (!read.ok()) return read.status().message();
      pages.append(pages.empty() ? "" : " ").append(page);
      options.after = read->resume_after;
    } while (!options.after.empty());
    return pages;
  }

  std::vector<ListedItem> items_;
};

TEST_F(ListedItemsTest, EveryQueryRunsPageByPage) {
  Add("a", R"({"id":"a","n":3,"t":[1,2]})");
  Add("b", R"({"id":"b","n":1,"t":[3]})");
  Add("c", R"({"id":"c","n":2,"t":[4,5,6]})");
  EXPECT_EQ(Read("SELECT * FROM c WHERE c.id = 'b'"), R"({"id":"b","n":1,"t":[3]})");
  EXPECT_EQ(Read("SELECT VALUE r.id FROM root r"), R"("a","b","c")");
  EXPECT_EQ(Read("SELECT VALUE c.id FROM c", 1), R"("a" "b" "c")");
  EXPECT_EQ(Read("SELECT VALUE c.n FROM c ORDER BY c.n DESC", 2), "3,2 1");
  EXPECT_EQ(Read("SELECT VALUE COUNT(1) FROM c"), "3");
  EXPECT_EQ(Read("SELECT VALUE t FROM c JOIN t IN c.t", 2), "1,2 3,4 5,6");
  EXPECT_EQ(Read("SELECT VALUE c.id FROM c OFFSET 1 LIMIT 1"), R"("b")");
}

TEST_F(ListedItemsTest, KeysThatAreLong) {
  const std::string same(4'000, 'x');
  for (const std::string id : {"a", "b", "c", "d"}) {
    std::string document = R"({"id":")" + id;
    document.append(R"(","s":")").append(same).push_back(static_cast<char>('d' - id[0] + 'a'));
    Add(id, document.append(R"("})"));
  }
  EXPECT_EQ(Read("SELECT VALUE c.id FROM c ORDER BY c.s", 1), R"("d" "c" "b" "a")");
}

TEST_F(ListedItemsTest, AnEmptyList) {
  EXPECT_EQ(Read("SELECT * FROM c"), "");
  EXPECT_EQ(Read("SELECT VALUE COUNT(1) FROM c"), "0");
}

}  // namespace
}  // namespace lapse::query::exec
