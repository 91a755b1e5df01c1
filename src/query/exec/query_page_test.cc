#include "query/exec/query_page.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doc/json.h"
#include "engine/engine_fixture.h"
#include "query/exec/items/test_items.h"
#include "query/exec/positions/page_position.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/json_text.h"

namespace lapse::query::exec {
namespace {

// A document as stored, with one added property: `_ts`.
class PlainItem : public ScannedItem {
 public:
  void Set(const engine::Item& item) override { item_ = &item; }
  Meaning MeaningOf(std::string_view name) const override {
    return name == "_ts" ? Meaning::kWriteSecond : Meaning::kNotAdded;
  }
  std::optional<engine::ItemNumber> NumberOf(std::string_view) const override { return std::nullopt; }
  Value Property(std::string_view name, Arena*) const override {
    if (name == "_ts") return Value::Int64(item_->meta.version.ts_s);
    return Value::FromBson(doc::Find(item_->document, name));
  }
  Value Whole(Arena*) const override { return Value::Object(item_->document); }

 private:
  const engine::Item* item_ = nullptr;
};

class QueryPageTest : public engine::EngineFixture {
 protected:
  QueryPageTest() { container_ = MakeIndexed({{{}, false, true}, {{"named"}, true, true}, {{"out"}, false, false}}); }

  engine::ContainerPtr MakeIndexed(std::vector<engine::IndexingDefinition::Path> paths) {
    EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
    engine::ContainerDefinition definition;
    definition.name = "items";
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = -1;
    definition.indexing.paths = std::move(paths);
    definition.indexing.composites = {{{{"n"}, true}, {{"s"}, false}}, {{{"other"}, false}, {{"named"}, false}}};
    return *engine_->catalog_store().CreateContainer("db", definition);
  }

  void Add(std::string_view id, std::string_view json, std::optional<int32_t> ttl = std::nullopt) {
    Upsert(engine::ItemWrite::Kind::kUpsert, id, json, ttl);
  }
  void Upsert(engine::ItemWrite::Kind kind, std::string_view id, std::string_view json, std::optional<int32_t> ttl) {
    std::string bson;
    ASSERT_TRUE(doc::JsonToBson(json, {}, &bson).ok()) << json;
    ASSERT_TRUE(Put(container_, kind, id, std::move(bson), ttl).ok());
  }

  struct Page {
    std::vector<std::string> results;
    std::string resume_after;
    Status status;
  };

  Page ReadPage(std::string_view text, int results_max, const std::string& after, size_t memory = 1 << 20) {
    Page page;
    Result<sql::SyntaxTree> tree = sql::Parse(text);
    if (!tree.ok()) return {{}, {}, tree.status()};
    Result<plan::Plan> plan = sql::Bind(*tree, {});
    if (!plan.ok()) return {{}, {}, plan.status()};
    QueryOptions options;
    options.after = after;
    options.results_max = results_max;
    options.settings.memory_bytes_max = memory;
    auto take = [&](Value result, engine::Place) {
      AppendJson(result, &page.results.emplace_back());
      return true;
    };
    Result<QueryPage> read = ReadQueryPage(*plan, *container_, options, RulesFor<PlainItem>(), take, nullptr);
    page.status = read.status();
    if (read.ok()) page.resume_after = read->resume_after;
    return page;
  }

  // Returns the results of all pages, or the error of one.
  std::string Ask(std::string_view text, int results_max = 100) {
    std::string all = "[";
    std::string after;
    do {
      Page page = ReadPage(text, results_max, after);
      if (!page.status.ok()) return page.status.ToString();
      EXPECT_LE(page.results.size(), static_cast<size_t>(results_max));
      for (const std::string& result : page.results) all.append(all.size() > 1 ? "," : "").append(result);
      after = page.resume_after;
    } while (!after.empty());
    return all + "]";
  }

  // Expects the same results, whatever the page size.
  void ExpectInPages(std::string_view text, std::string_view answer) {
    for (int results_max : {1, 2, 3, 7, 100})
      EXPECT_EQ(Ask(text, results_max), answer) << text << " by " << results_max;
  }

  engine::ContainerPtr container_;
};

TEST_F(QueryPageTest, GivesRowsInTheOrderOfCreation) {
  Add("b", R"({"id":"b","n":1})");
  Add("a", R"({"id":"a","n":2})");
  Add("b", R"({"id":"b","n":3})");
  ExpectInPages("SELECT VALUE c.id FROM c", R"(["b","a"])");
  ExpectInPages("SELECT VALUE c.n FROM c WHERE c.n > 2", "[3]");
}

TEST_F(QueryPageTest, GoesOnInTheMiddleOfAnItem) {
  Add("a", R"({"t":[1,2,3,4,5]})");
  Add("b", R"({"t":[6,7]})");
  ExpectInPages("SELECT VALUE t FROM c JOIN t IN c.t", "[1,2,3,4,5,6,7]");
  ExpectInPages("SELECT VALUE t FROM c JOIN t IN c.t OFFSET 2 LIMIT 4", "[3,4,5,6]");
  ExpectInPages("SELECT TOP 3 VALUE t FROM c JOIN t IN c.t", "[1,2,3]");
}

TEST_F(QueryPageTest, AnItemThatIsRewrittenBetweenTwoPagesIsNeitherRepeatedNorLost) {
  for (std::string id : {"a", "b", "c"}) Add(id, R"({"id":")" + id + R"(","n":1})");
  for (std::string_view text : {"SELECT VALUE c.id FROM c", "SELECT VALUE c.id FROM c ORDER BY c.n"}) {
    Page first = ReadPage(text, 1, {});
    EXPECT_EQ(first.results, std::vector<std::string>{R"("a")"});
    Add("a", R"({"id":"a","n":1})");
    Add("c", R"({"id":"c","n":1})");
    Page second = ReadPage(text, 100, first.resume_after);
    EXPECT_EQ(second.results, (std::vector<std::string>{R"("b")", R"("c")"}));
  }
}

TEST_F(QueryPageTest, AnItemThatGoesBetweenTwoPagesIsNotShown) {
  Add("a", R"({"t":[1,2,3]})", 10);
  Add("b", R"({"t":[4]})");
  const std::string_view text = "SELECT VALUE t FROM c JOIN t IN c.t";
  Page first = ReadPage(text, 2, {});
  EXPECT_EQ(first.results, (std::vector<std::string>{"1", "2"}));
  PassSeconds(10);
  EXPECT_EQ(ReadPage(text, 2, first.resume_after).results, std::vector<std::string>{"4"});
}

TEST_F(QueryPageTest, OrdersByKeysAndThenByCreation) {
  Add("a", R"({"id":"a","n":2,"s":"x"})");
  Add("b", R"({"id":"b","n":1,"s":"x"})");
  Add("c", R"({"id":"c","n":2.0,"s":"a"})");
  Add("d", R"({"id":"d","n":"1","s":"b"})");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.n", R"(["b","a","c","d"])");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.n DESC", R"(["d","c","a","b"])");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.n DESC, c.s ASC", R"(["d","c","a","b"])");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.n ASC, c.s DESC", R"(["b","a","c","d"])");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 1 LIMIT 2", R"(["a","c"])");
}

TEST_F(QueryPageTest, LeavesOutItemsWithoutTheKeyWhereTheRulesSaySo) {
  Add("a", R"({"id":"a","named":1,"other":1})");
  Add("b", R"({"id":"b"})");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.other", R"(["a"])");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.named", R"(["b","a"])");
  ExpectInPages("SELECT VALUE c.id FROM c ORDER BY c.other, c.named", R"(["b","a"])");
}

TEST_F(QueryPageTest, GroupsComeInTheOrderOfTheirKeys) {
  Add("a", R"({"g":"y","n":2})");
  Add("b", R"({"g":"x","n":1})");
  Add("c", R"({"g":"y","n":5})");
  Add("d", R"({"n":7})");
  ExpectInPages("SELECT c.g, SUM(c.n) AS s, COUNT(1) AS k FROM c GROUP BY c.g",
                R"([{"s":7,"k":1},{"g":"x","s":1,"k":1},{"g":"y","s":7,"k":2}])");
  ExpectInPages("SELECT VALUE COUNT(1) FROM c WHERE c.n > 100", "[0]");
  ExpectInPages("SELECT VALUE AVG(c.n) FROM c WHERE c.n > 100", "[]");
}

TEST_F(QueryPageTest, DistinctResults) {
  Add("a", R"({"g":"y","n":2})");
  Add("b", R"({"g":"x","n":1})");
  Add("c", R"({"g":"y","n":0})");
  Add("d", R"({"g":"x","n":3})");
  ExpectInPages("SELECT DISTINCT VALUE c.g FROM c", R"(["x","y"])");
  ExpectInPages("SELECT DISTINCT VALUE c.g FROM c ORDER BY c.g DESC", R"(["y","x"])");
  // The first of equal results in the order of another key.
  ExpectInPages("SELECT DISTINCT VALUE c.g FROM c ORDER BY c.n", R"(["y","x"])");
}

TEST_F(QueryPageTest, WithoutASourceThereIsOneRow) {
  ExpectInPages("SELECT VALUE 1 + 1", "[2]");
  ExpectInPages("SELECT VALUE x FROM x IN (SELECT VALUE [1, 2, 3])", "[1,2,3]");
}

TEST_F(QueryPageTest, SubqueriesSeeTheRowAroundThem) {
  Add("a", R"({"id":"a","t":[3,1,2],"min":2})");
  ExpectInPages("SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.t WHERE t >= c.min) FROM c", "[[3,2]]");
  ExpectInPages("SELECT VALUE (SELECT VALUE MAX(t) FROM t IN c.t) FROM c", "[3]");
  ExpectInPages("SELECT VALUE EXISTS(SELECT VALUE t FROM t IN c.t WHERE t > 3) FROM c", "[false]");
  EXPECT_NE(Ask("SELECT VALUE (SELECT VALUE t FROM t IN c.t) FROM c").find("one result"), std::string::npos);
}

TEST_F(QueryPageTest, TheDeadAreInNoAnswer) {
  Add("a", R"({"g":1})", 5);
  Add("b", R"({"g":2})");
  PassSeconds(4);
  ExpectInPages("SELECT VALUE COUNT(1) FROM c", "[2]");
  PassSeconds(1);
  ExpectInPages("SELECT VALUE COUNT(1) FROM c", "[1]");
  ExpectInPages("SELECT VALUE c.g FROM c ORDER BY c.g", "[2]");
  ExpectInPages("SELECT DISTINCT VALUE c.g FROM c", "[2]");
  ExpectInPages("SELECT VALUE MIN(c.g) FROM c GROUP BY c.g", "[2]");
}

TEST_F(QueryPageTest, AQueryThatNeedsTooMuchMemoryFails) {
  for (int i = 0; i < 100; ++i) {
    Add("i" + std::to_string(i), R"({"s":")" + std::string(10'000, static_cast<char>('a' + i % 26)) + "\"}");
  }
  const Page page = ReadPage("SELECT VALUE c.s FROM c ORDER BY c.s", 100, {}, 200'000);
  EXPECT_EQ(page.status.code(), Code::kTooLarge);
  // Any number of items may be ordered as long as a page fits into memory.
  EXPECT_TRUE(ReadPage("SELECT VALUE c.s FROM c ORDER BY c.s", 2, {}, 2'000'000).status.ok());
}

TEST_F(QueryPageTest, APositionOfAnotherKindIsRefused) {
  Add("a", R"({"n":1})");
  Add("b", R"({"n":2})");
  const std::string streamed = ReadPage("SELECT VALUE c.n FROM c", 1, {}).resume_after;
  const std::string ordered = ReadPage("SELECT VALUE c.n FROM c ORDER BY c.n", 1, {}).resume_after;
  EXPECT_EQ(ReadPage("SELECT VALUE c.n FROM c", 1, ordered).status.code(), Code::kInvalidArgument);
  EXPECT_EQ(ReadPage("SELECT VALUE c.n FROM c ORDER BY c.n", 1, streamed).status.code(), Code::kInvalidArgument);
  for (size_t size = 0; size < ordered.size(); ++size) {
    EXPECT_FALSE(PagePosition::Decode(ordered.substr(0, size)).ok()) << size;
  }
}

}  // namespace
}  // namespace lapse::query::exec
