// Compares pages whose items an index found with the same pages without an index.
#include <gtest/gtest.h>

#include <charconv>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "doc/json.h"
#include "engine/partition/index/index_fixture.h"
#include "engine/time/clock_era.h"
#include "query/exec/items/test_items.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/json_text.h"
#include "query/values/memory_pool.h"

namespace lapse::query::exec {
namespace {

using engine::IndexingDefinition;
using engine::IndexingDirective;
using engine::ItemWrite;

class ItemWithRid : public ScannedItem {
 public:
  void Set(const engine::Item& item) override { item_ = &item; }
  Meaning MeaningOf(std::string_view name) const override {
    if (name == "_ts") return Meaning::kWriteSecond;
    return name == "_rid" ? Meaning::kNumber : Meaning::kNotAdded;
  }
  std::optional<engine::ItemNumber> NumberOf(std::string_view text) const override {
    engine::ItemNumber number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || std::to_string(number) != text) return std::nullopt;
    return number;
  }
  Value Property(std::string_view name, Arena* arena) const override {
    if (name == "_ts") return Value::Int64(item_->meta.version.ts_s);
    if (name == "_rid") return Value::String(arena->Copy(std::to_string(item_->meta.number)));
    return Value::FromBson(doc::Find(item_->document, name));
  }
  Value Whole(Arena*) const override { return Value::Object(item_->document); }

 private:
  const engine::Item* item_ = nullptr;
};

class IndexedPagesTest : public engine::IndexFixture {
 protected:
  struct Page {
    std::string results;
    std::string resume_after;
    uint64_t scanned = 0;
    Status status;
  };

  Page ReadPage(std::string_view text, int results_max, const std::string& after, bool use_index,
                const engine::KeyScope& scope = {}) {
    Page page;
    Result<sql::SyntaxTree> tree = sql::Parse(text);
    if (!tree.ok()) return {{}, {}, 0, tree.status()};
    Result<plan::Plan> plan = sql::Bind(*tree, {});
    if (!plan.ok()) return {{}, {}, 0, plan.status()};
    QueryOptions options;
    options.after = after;
    options.results_max = results_max;
    options.scope = scope;
    options.use_index = use_index;
    options.is_abandoned = is_abandoned_;
    options.settings.pool = pool_;
    auto take = [&](Value result, engine::Place) {
      AppendJson(result, &page.results);
      page.results += "\n";
      return true;
    };
    const engine::ContainerPtr container = Find("c");
    Result<QueryPage> read = ReadQueryPage(*plan, *container, options, RulesFor<ItemWithRid>(), take, meter_);
    page.status = read.status();
    if (!read.ok()) return page;
    page.resume_after = read->resume_after;
    page.scanned = read->scanned_items;
    return page;
  }

  // Returns all pages in sequence. With `turns` every other page is found without the index.
  std::string Ask(std::string_view text, int results_max, bool use_index, bool turns = false,
                  const engine::KeyScope& scope = {}) {
    std::string all;
    std::string after;
    scanned_ = 0;
    do {
      Page page = ReadPage(text, results_max, after, use_index, scope);
      if (!page.status.ok()) return page.status.ToString();
      all += page.results;
      after = page.resume_after;
      scanned_ += page.scanned;
      if (turns) use_index = !use_index;
    } while (!after.empty());
    return all;
  }

  void ExpectSame(std::string_view text, const engine::KeyScope& scope = {}) {
    const std::string wanted = Ask(text, 1000, false, false, scope);
    for (int results_max : {1, 7, 1000}) {
      ASSERT_EQ(Ask(text, results_max, true, false, scope), wanted) << text << " by " << results_max;
    }
    ASSERT_EQ(Ask(text, 3, true, true, scope), wanted) << text << " with turns";
  }

  // Returns how many documents the whole result reads.
  uint64_t DocumentsFor(std::string_view text, int results_max = 1000) {
    Ask(text, results_max, true);
    return scanned_;
  }

  engine::KeyScope OneKey(std::string_view pk) {
    engine::KeyScope scope;
    scope.exact = Address(*Find("c"), pk, "").key;
    return scope;
  }

  // The keys from this partition key on, or those before it.
  engine::KeyScope From(std::string_view pk) {
    engine::KeyScope scope;
    scope.range.min = Address(*Find("c"), pk, "").key.epk;
    return scope;
  }
  engine::KeyScope Before(std::string_view pk) {
    engine::KeyScope scope;
    scope.range.max = Address(*Find("c"), pk, "").key.epk;
    return scope;
  }

  int64_t ChargeOf(std::string_view text, int results_max = 1000) {
    engine::RequestMeter meter;
    meter_ = &meter;
    EXPECT_TRUE(ReadPage(text, results_max, {}, true).status.ok()) << text;
    meter_ = nullptr;
    return meter.milli_ru();
  }

  uint64_t scanned_ = 0;
  engine::RequestMeter* meter_ = nullptr;
  std::function<bool()> is_abandoned_;
  MemoryPool* pool_ = nullptr;
};

// Documents with few different values, so that values collide. A third of them have expired, and a tenth are left out
// of the index.
class ManyDocumentsTest : public IndexedPagesTest, public ::testing::WithParamInterface<int> {
 protected:
  void Fill(const IndexingDefinition& policy) {
    MakeIndexed(policy, -1, GetParam());
    std::mt19937 random(7);
    const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const std::string longer(256, 'x');
    const std::vector<std::string> values = {"null",
                                             "true",
                                             "false",
                                             "0",
                                             "-0.0",
                                             "1",
                                             "1.0",
                                             "2",
                                             "9007199254740993",
                                             "9007199254740992",
                                             "-7.5",
                                             "\"\"",
                                             "\"a\"",
                                             "\"ab\"",
                                             "\"abc\"",
                                             "\"b\"",
                                             "\"" + longer + "\"",
                                             "\"" + longer + "a\"",
                                             "\"" + longer + "b\"",
                                             "\"" + longer.substr(1) + "\"",
                                             "[]",
                                             "[1,\"a\"]",
                                             "[2,[1]]",
                                             "{}",
                                             "{\"b\":1}",
                                             "{\"b\":\"a\"}"};
    const auto value = [&] { return values[static_cast<size_t>(pick(static_cast<int>(values.size())))]; };
    for (int i = 0; i < 200; ++i) {
      const std::string id = "i" + std::to_string(i);
      std::string json = R"({"id":")" + id + R"(","n":)" + std::to_string(i) + R"(,"g":)" + std::to_string(i % 7);
      if (pick(4) > 0) json += R"(,"a":)" + value();
      if (pick(4) > 0) json += R"(,"b":)" + value();
      if (pick(4) > 0) json += R"(,"s":)" + values[static_cast<size_t>(pick(20))];  // neither array nor object
      if (pick(2) > 0) json += R"(,"o":{"p":)" + value() + R"(,"q":)" + std::to_string(pick(5)) + "}";
      if (pick(2) > 0) {
        json += R"(,"t":[)";
        for (int k = pick(4); k >= 0; --k) json += value() + (k > 0 ? "," : "");
        json += "]";
      }
      if (pick(3) > 0) json += R"(,"r":[{"s":)" + value() + R"(},{"s":)" + std::to_string(pick(3)) + "}]";
      const IndexingDirective directive = pick(10) == 0 ? IndexingDirective::kExclude : IndexingDirective::kDefault;
      ASSERT_TRUE(PutJson(ItemWrite::Kind::kCreate, id, json + "}",
                          i % 3 == 0 ? std::optional<int32_t>(10) : std::nullopt, directive,
                          "k" + std::to_string(i % 5))
                      .ok());
      // Writes several per second, then rewrites an earlier one.
      if (i % 20 != 0) continue;
      PassSeconds(1);
      if (i > 0) Rewrite(i - 1 - pick(15));
    }
    PassSeconds(10);
  }

  void Rewrite(int i) {
    if (i % 3 == 0) ++i;
    ASSERT_TRUE(PutJson(ItemWrite::Kind::kUpsert, "i" + std::to_string(i),
                        R"({"n":)" + std::to_string(i) + R"(,"g":9,"a":1})", std::nullopt, IndexingDirective::kDefault,
                        "k" + std::to_string(i % 5))
                    .ok());
  }

  static const std::vector<std::string>& Filters() {
    static const std::vector<std::string> filters = [] {
      const std::string longer(256, 'x');
      std::vector<std::string> list = {
          "true",
          "c.a = 1",
          "c.a = 9007199254740993",
          "c.a = null",
          "c.a = 'ab'",
          "c.a = [1,'a']",
          "c.a = {}",
          "c.a > 0",
          "c.a >= 1 AND c.a < 3",
          "c.a < 'b'",
          "c.a > 'a' AND c.a <= 'b'",
          "c.a <= true",
          "c.a < null",
          "c.a IN (1, 'a', null, true)",
          "c.a IN (2, {'b':1})",
          "c.a BETWEEN 0 AND 2",
          "STARTSWITH(c.a, 'a')",
          "STARTSWITH(c.a, 'A', true)",
          "c.a LIKE 'a%'",
          "c.a LIKE '%b'",
          "c.a LIKE 'a_c'",
          "c.a LIKE 'ab'",
          "IS_DEFINED(c.a)",
          "NOT IS_DEFINED(c.a)",
          "IS_STRING(c.a)",
          "IS_ARRAY(c.a)",
          "IS_OBJECT(c.a)",
          "IS_NULL(c.a)",
          "IS_BOOL(c.a)",
          "IS_PRIMITIVE(c.a)",
          "IS_INTEGER(c.a)",
          "c.a",
          "NOT c.a",
          "c.a != 1",
          "c.o.p = 1",
          "c.o.q > 2 AND c.o.p = 'a'",
          "c.a = 1 AND c.b = 1",
          "c.a = 1 OR c.b = 1",
          "c.a = 1 OR c.o.q = 2",
          "(c.a = 1 AND c.b = 'a') OR (c.a = 'a' AND c.b = 1) OR c.n = 17",
          "c.a = 1 OR c.n % 10 = 3",
          "c.a = 1 AND c.n % 2 = 0",
          "ARRAY_CONTAINS(c.t, 'a')",
          "ARRAY_CONTAINS(c.t, [1])",
          "ARRAY_CONTAINS(c.r, {'s':1})",
          "ARRAY_CONTAINS(c.r, {'s':1}, true)",
          "c.t[0] = 'a'",
          "c.r[1].s > 0",
          "EXISTS(SELECT VALUE t FROM t IN c.t WHERE t = 'a')",
          "EXISTS(SELECT VALUE x FROM x IN c.r WHERE x.s > 0 AND x.s < 3)",
          "NOT EXISTS(SELECT VALUE t FROM t IN c.t WHERE t = 'a')",
          "c.a = undefined",
          "c._ts > 0",
          "c._ts > 1750000004",
          "c._ts >= 1750000004",
          "c._ts >= 1750000004.5",
          "c._ts < 1750000003",
          "c._ts <= 1750000003",
          "c._ts = 1750000005",
          "c._ts BETWEEN 1750000002 AND 1750000006 AND c.g = 3",
          "c._ts IN (1750000001, 1750000003, 1750000003.5, 'x', null)",
          "c._ts < 1750000002 OR c._ts > 1750000007 OR c.n = 100",
          "c._ts > 1750000006 AND c.a > 0",
          "c._ts > 'x' OR c._ts = null",
          "c._ts > 1750000100",
          "c._ts.x = 1",
          "NOT IS_DEFINED(c._ts)",
          "IS_NUMBER(c._ts)",
          "c._rid = '7'",
          "c._rid IN ('3', '5', '03', 'x', '1099511627780', '2199023255555', '99', 5)",
          "c._rid > '5'",
          "c._rid = '8' AND c.a > 0",
          "c._rid = '8' OR c.a = 1",
          "IS_DEFINED(c._rid)",
          "c.n = 5",
          "c.n > 190",
          "c.g = 3 AND c.n > 100",
          "c.g = 3 AND c.a > 0 AND c.b > 0",
          "c.g IN (1, 2) AND IS_STRING(c.b)",
      };
      for (const std::string& text : {longer, longer + "a", longer + "b", longer + "c", longer.substr(1)}) {
        for (std::string_view op : {"=", "<", "<=", ">", ">="}) {
          list.push_back("c.a " + std::string(op) + " '" + text + "'");
        }
        list.push_back("STARTSWITH(c.a, '" + text + "')");
      }
      return list;
    }();
    return filters;
  }

  void ExpectAllSame(const engine::KeyScope& scope = {}) {
    for (const std::string& filter : Filters()) {
      const std::string where = " FROM c WHERE " + filter;
      ExpectSame("SELECT VALUE c.n" + where, scope);
      ExpectSame("SELECT VALUE COUNT(1)" + where, scope);
      if (filter.size() < 20) {
        for (std::string_view path : {"c.a", "c.n", "c.s", "c.o.q", "c._ts"}) {
          ExpectSame("SELECT VALUE MIN(" + std::string(path) + ")" + where, scope);
          ExpectSame("SELECT VALUE MAX(" + std::string(path) + ")" + where, scope);
        }
      }
      if (HasFatalFailure()) return;
    }
    for (const std::string& filter :
         {std::string("true"), std::string("c.a > 0"), std::string("c.b = 1"), std::string("c.g = 3 OR c.n < 9"),
          std::string("IS_STRING(c.a)"), std::string("c._ts > 1750000005"), std::string("c._ts < 1750000003")}) {
      const std::string where = " FROM c WHERE " + filter;
      for (std::string_view order :
           {"c.a", "c.a DESC", "c.b", "c.n DESC", "c.g", "c.g DESC", "c.o.p", "c._ts", "c._ts DESC", "c.t"}) {
        const std::string by = where + " ORDER BY " + std::string(order);
        ExpectSame("SELECT VALUE [c.n, c.a]" + by, scope);
        ExpectSame("SELECT VALUE c.n" + by + " OFFSET 3 LIMIT 8", scope);
        ExpectSame("SELECT TOP 5 VALUE c.n" + by, scope);
        if (HasFatalFailure()) return;
      }
      ExpectSame("SELECT DISTINCT VALUE c.g" + where, scope);
      ExpectSame("SELECT DISTINCT VALUE c.a" + where + " ORDER BY c.a", scope);
      ExpectSame("SELECT DISTINCT VALUE c.g" + where + " ORDER BY c.n", scope);
      ExpectSame("SELECT c.g, COUNT(1) AS k, MIN(c.a) AS m, MAX(c.b) AS x" + where + " GROUP BY c.g", scope);
      ExpectSame("SELECT VALUE [c.n, t] FROM c JOIN t IN c.t WHERE t = 'a' AND (" + filter + ")", scope);
      ExpectSame("SELECT VALUE [c.n, t] FROM c JOIN t IN c.t WHERE t > 0 AND (" + filter + ") ORDER BY c.a DESC",
                 scope);
      ExpectSame("SELECT VALUE x.s FROM c JOIN x IN c.r WHERE x.s = 1", scope);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(ManyDocumentsTest, AnswerTheSameWithAndWithoutAnIndex) {
  Fill(Policy({"*"}));
  ExpectAllSame();
  for (std::string_view pk : {"k0", "k3", "none"}) ExpectAllSame(OneKey(pk));
}

TEST_P(ManyDocumentsTest, AnswerTheSameOfAPartOfThePartitions) {
  Fill(Policy({"*"}));
  for (const engine::KeyScope& scope : {From("k0"), Before("k1"), From("k3"), Before("k4")}) {
    for (const std::string& filter : Filters()) {
      ExpectSame("SELECT VALUE c.n FROM c WHERE " + filter, scope);
      if (HasFatalFailure()) return;
    }
  }
  ExpectAllSame(From("k2"));
}

TEST_P(ManyDocumentsTest, AnswerTheSameByFiltersOfACompositeIndex) {
  IndexingDefinition policy = Policy({"g/?", "o/*"}, {"*"});
  policy.composites = {
      {{{"a"}, false}, {{"n"}, false}}, {{{"g"}, true}, {{"a"}, true}, {{"n"}, true}}, {{{"s"}, true}, {{"g"}, false}}};
  Fill(policy);
  const std::string longer(256, 'x');
  for (const std::string& filter : std::vector<std::string>{"c.a = 1 AND c.n > 50",
                                                            "c.a = 1 AND c.n <= 50",
                                                            "c.a IN (1, 2, 'a', null) AND c.n BETWEEN 20 AND 120",
                                                            "c.a IN (1, true) AND c.n IN (30, 40, 50, 61)",
                                                            "c.g = 3 AND c.a > 0",
                                                            "c.g = 3 AND c.a < 'b'",
                                                            "c.g IN (1, 2, 3) AND STARTSWITH(c.a, 'a')",
                                                            "c.g = 3 AND c.a = 'ab' AND c.n < 150",
                                                            "c.g = 9 AND c.a = 1 AND c.n >= 40 AND c.o.q > 0",
                                                            "c.g = 3 AND NOT IS_DEFINED(c.a)",
                                                            "c.g = 3 AND IS_DEFINED(c.a)",
                                                            "c.g = 3 AND IS_ARRAY(c.a)",
                                                            "c.g = 3 AND c.a = null",
                                                            "c.g = 3 AND c.a IN (null, 2, 1)",
                                                            "c.s = '" + longer + "' AND c.g > 1",
                                                            "c.s = '" + longer + "a' AND c.g = 2",
                                                            "c.s >= '" + longer + "a' AND c.g = 2",
                                                            "c.g = 3 AND c.a >= '" + longer + "a'",
                                                            "c.g = 3 AND c.a <= '" + longer + "a'",
                                                            std::string("c.g IN (1, 3) AND c.a IN ('")
                                                                .append(longer)
                                                                .append("a', '")
                                                                .append(longer)
                                                                .append("b') AND c.n > 5"),
                                                            "(c.g = 3 AND c.a > 0) OR (c.a = 'a' AND c.n > 100)",
                                                            "c.s = 1 AND c.g IN (1, 2) AND c._ts > 1750000003"}) {
    const std::string where = " FROM c WHERE " + filter;
    ExpectSame("SELECT VALUE c.n" + where);
    ExpectSame("SELECT VALUE COUNT(1)" + where);
    ExpectSame("SELECT VALUE c.n" + where + " ORDER BY c.g DESC");
    ExpectSame("SELECT VALUE c.n" + where + " ORDER BY c.a, c.n");
    ExpectSame("SELECT VALUE c.n" + where + " ORDER BY c.g, c.a, c.n OFFSET 2 LIMIT 5");
    ExpectSame("SELECT VALUE c.n" + where, OneKey("k1"));
    ExpectSame("SELECT VALUE c.n" + where, From("k2"));
    if (HasFatalFailure()) return;
  }
}

TEST_P(ManyDocumentsTest, AnswerTheSameWhereOnlySomePathsAreIndexed) {
  Fill(Policy({"a/?", "g/?", "n/?", "t/*", "o/*", "b/?"}, {"*", "o/p/?"}));
  for (const std::string& filter : Filters()) {
    ExpectSame("SELECT VALUE c.n FROM c WHERE " + filter);
    ExpectSame("SELECT VALUE COUNT(1) FROM c WHERE " + filter);
    for (std::string_view order : {"c.a", "c.a DESC", "c.b"}) {
      ExpectSame("SELECT VALUE c.n FROM c WHERE " + filter + " ORDER BY " + std::string(order));
    }
    if (HasFatalFailure()) return;
  }
}

TEST_P(ManyDocumentsTest, AnswerTheSameInTheOrderOfACompositeIndex) {
  IndexingDefinition policy = Policy({"*"});
  policy.composites = {{{{"a"}, false}, {{"b"}, false}},
                       {{{"g"}, true}, {{"a"}, false}, {{"n"}, true}},
                       {{{"a"}, true}, {{"g"}, false}}};
  Fill(policy);
  for (std::string_view filter : {"true", "c.g = 3", "c.a > 0 AND c.b > 0"}) {
    for (std::string_view order : {"c.a, c.b", "c.a DESC, c.b DESC", "c.g DESC, c.a, c.n DESC", "c.g, c.a DESC, c.n",
                                   "c.a DESC, c.g", "c.a, c.g DESC"}) {
      const std::string by = " FROM c WHERE " + std::string(filter) + " ORDER BY " + std::string(order);
      ExpectSame("SELECT VALUE [c.n, c.a, c.b]" + by);
      ExpectSame("SELECT VALUE c.n" + by + " OFFSET 5 LIMIT 9");
      ExpectSame("SELECT VALUE c.n" + by, OneKey("k1"));
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, ManyDocumentsTest, ::testing::Values(0, 18'000));

TEST_F(IndexedPagesTest, ReadsOnlyWhatTheConditionLeaves) {
  MakeIndexed(Policy({"*"}));
  for (int i = 0; i < 2000; ++i) {
    Create("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + R"(,"g":)" + std::to_string(i % 20) +
                                        R"(,"s":"name)" + std::to_string(i) + R"(","t":[)" + std::to_string(i) + "]}");
  }
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.n = 7"), 1u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.n >= 10 AND c.n < 20"), 10u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.n IN (1, 3, 5, 4000)"), 3u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE STARTSWITH(c.s, 'name199')"), 11u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE ARRAY_CONTAINS(c.t, 3)"), 1u);
  EXPECT_EQ(DocumentsFor("SELECT VALUE t FROM c JOIN t IN c.t WHERE t = 3"), 1u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.n = 7 OR c.s = 'name9'"), 2u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.n = 7 AND c.g = 0"), 1u);
  // Each condition alone leaves a hundred, both together five.
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.n < 100 AND c.g = 0"), 5u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.g = c.n"), 2000u);
  // The minimum and the maximum.
  EXPECT_LE(DocumentsFor("SELECT VALUE MIN(c.n) FROM c"), 16u);
  EXPECT_LE(DocumentsFor("SELECT VALUE MAX(c.n) FROM c WHERE c.n < 1000"), 16u);
  EXPECT_EQ(Ask("SELECT VALUE MAX(c.n) FROM c WHERE c.n < 1000", 10, true), "999\n");
  // In order: the items of the page, and a few more.
  EXPECT_LE(DocumentsFor("SELECT TOP 10 * FROM c ORDER BY c.n"), 32u);
  EXPECT_LE(DocumentsFor("SELECT TOP 10 * FROM c ORDER BY c.n DESC"), 32u);
  EXPECT_LE(DocumentsFor("SELECT TOP 10 * FROM c WHERE c.n > 1500 ORDER BY c.n"), 32u);
  EXPECT_LE(DocumentsFor("SELECT TOP 10 * FROM c ORDER BY c.g"), 32u);
}

TEST_F(IndexedPagesTest, FindsItemsByTheSecondOfTheirLastWriteAndByNumber) {
  MakeIndexed(Policy({"a/?"}, {"*"}), -1);
  for (int i = 0; i < 2000; ++i) {
    Create("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + "}",
           i % 2 == 0 ? std::optional<int32_t>(100'000) : std::nullopt);
    if (i % 10 == 9) PassSeconds(1);
  }
  const auto at = [](int64_t seconds) { return std::to_string(kStart_s + seconds); };
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c._ts > " + at(197)), 20u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c._ts = " + at(50)), 10u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c._ts > " + at(500)), 0u);
  EXPECT_LE(DocumentsFor("SELECT TOP 10 * FROM c ORDER BY c._ts"), 32u);
  EXPECT_LE(DocumentsFor("SELECT TOP 10 * FROM c ORDER BY c._ts DESC"), 32u);
  EXPECT_LE(DocumentsFor("SELECT TOP 10 * FROM c WHERE c._ts > " + at(100) + " ORDER BY c._ts"), 32u);
  EXPECT_LE(DocumentsFor("SELECT VALUE MAX(c._ts) FROM c"), 16u);
  EXPECT_EQ(Ask("SELECT VALUE MAX(c._ts) FROM c", 10, true), at(199) + "\n");
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c._rid = '17'"), 1u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c._rid IN ('17', '18', '99999')"), 2u);
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c WHERE c._rid IN ('17', '18', '99999')", 10, true), "2\n");
  // A rewrite moves an item to the end without any extra index entries.
  const size_t entries = StoredEntries();
  Replace("i3", R"({"n":3})");
  EXPECT_EQ(StoredEntries(), entries);
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c._ts >= " + at(200), 10, true), "3\n");
  EXPECT_EQ(Ask("SELECT TOP 1 VALUE c.n FROM c ORDER BY c._ts DESC", 10, true), "3\n");
}

TEST_F(IndexedPagesTest, AfterAResetOfTheClockWritesAreInNoOrder) {
  MakeIndexed(Policy({"*"}));
  Create("late", R"({"n":1})");
  engine_.reset();
  ASSERT_TRUE(engine::BeginClockEra(shard_.get()).ok());
  Restart();
  PassSeconds(1);
  Create("later", R"({"n":2})");
  ExpectSame("SELECT VALUE c.n FROM c ORDER BY c._ts");
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c._ts > " + std::to_string(kStart_s)), 2u);
}

TEST_F(IndexedPagesTest, ReadsOnlyWhatACompositeIndexLeaves) {
  IndexingDefinition policy = Policy({"x/?"}, {"*"});
  policy.composites = {{{{"g"}, false}, {{"n"}, true}}};
  MakeIndexed(policy);
  for (int i = 0; i < 2000; ++i) {
    Create("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + R"(,"g":)" + std::to_string(i % 20) + "}");
  }
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.g = 3 AND c.n < 100"), 5u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.g IN (3, 4) AND c.n >= 1900"), 10u);
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.g = 3 AND c.n = 23"), 1u);
  EXPECT_LE(DocumentsFor("SELECT TOP 3 * FROM c WHERE c.g = 3 AND c.n > 500 ORDER BY c.g, c.n DESC"), 16u);
  // The query does not filter by that path.
  EXPECT_EQ(DocumentsFor("SELECT * FROM c WHERE c.g = 3"), 2000u);
}

TEST_F(IndexedPagesTest, ReadsOnlyWhatTheConditionLeavesOfAPartOfAPartition) {
  MakeIndexed(Policy({"*"}));
  for (int i = 0; i < 2000; ++i) {
    const std::string number = std::to_string(i);
    const std::string json = R"({"n":)" + number + R"(,"g":)" + std::to_string(i % 100) + "}";
    ASSERT_TRUE(PutJson(ItemWrite::Kind::kCreate, "i" + number, json, std::nullopt, IndexingDirective::kDefault,
                        "k" + std::to_string(i % 8))
                    .ok());
  }
  uint64_t found = 0;
  for (const engine::KeyScope& scope : {From("k3"), Before("k3")}) {
    Ask("SELECT * FROM c WHERE c.g = 7", 1000, true, false, scope);
    found += scanned_;
    Ask("SELECT TOP 1 * FROM c ORDER BY c.n", 1000, true, false, scope);
    EXPECT_LE(scanned_, 1000u);
  }
  EXPECT_EQ(found, 20u);
}

TEST_F(IndexedPagesTest, CountsWithoutDocuments) {
  MakeIndexed(Policy({"*"}), -1);
  for (int i = 0; i < 600; ++i) {
    Create("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + "}",
           i < 20 ? std::optional<int32_t>(5) : std::nullopt);
  }
  const std::string_view text = "SELECT VALUE COUNT(1) FROM c WHERE c.n < 100";
  EXPECT_EQ(Ask(text, 100, true), "100\n");
  PassSeconds(5);
  EXPECT_EQ(Ask(text, 100, true), "80\n");
  EXPECT_EQ(ReadPage("SELECT VALUE COUNT(c.n) FROM c WHERE c.n < 100", 100, {}, true).scanned, 80u);
}

class CountingTest : public IndexedPagesTest, public ::testing::WithParamInterface<int> {};

TEST_P(CountingTest, CountsAllItemsWithoutALookAtAny) {
  MakeIndexed(Policy({"*"}), -1, GetParam());
  for (int i = 0; i < 50; ++i) {
    Create("i" + std::to_string(i), "{}", i % 5 == 0 ? std::optional<int32_t>(5 + i % 2) : std::nullopt);
  }
  for (std::string_view text : {"SELECT VALUE COUNT(1) FROM c", "SELECT COUNT('x') AS n, COUNT(undefined) AS u FROM c",
                                "SELECT VALUE COUNT(1) + 1 FROM c", "SELECT VALUE COUNT(c.x) FROM c"}) {
    ExpectSame(text);
  }
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c", 100, true), "50\n");
  EXPECT_EQ(scanned_, 0u);
  PassSeconds(5);
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c", 100, true), "45\n");
  PassSeconds(1);
  EXPECT_EQ(Ask("SELECT VALUE COUNT(1) FROM c", 100, true), "40\n");
  // In one logical partition the members are counted.
  ExpectSame("SELECT VALUE COUNT(1) FROM c", OneKey("pk"));
}

INSTANTIATE_TEST_SUITE_P(Partitions, CountingTest, ::testing::Values(0, 18'000));

// Thousandths of a request unit.
TEST_F(IndexedPagesTest, ChargesWhatPlanAndPolicySay) {
  MakeIndexed(Policy({"*"}));
  for (int i = 0; i < 1000; ++i) {
    Create("i" + std::to_string(i), R"({"n":)" + std::to_string(i) + R"(,"g":)" + std::to_string(i % 10) + "}");
  }
  constexpr int64_t kPage = 1000;
  constexpr int64_t kItem = 60;
  EXPECT_EQ(ChargeOf("SELECT * FROM c WHERE c.n = 7"), kPage + kItem);
  EXPECT_EQ(ChargeOf("SELECT * FROM c WHERE c.n = 7 AND c.g + 1 = 0"), kPage);
  // Charges are equal whether an index or a scan finds the items.
  EXPECT_EQ(ChargeOf("SELECT * FROM c WHERE c.g = 3"), kPage + 100 * kItem);
  EXPECT_EQ(ChargeOf("SELECT * FROM c WHERE c.n >= 0", 10), kPage + 10 * kItem);
  EXPECT_EQ(ChargeOf("SELECT TOP 10 * FROM c WHERE c.n >= 0"), kPage + 10 * kItem);
  EXPECT_EQ(ChargeOf("SELECT TOP 10 * FROM c ORDER BY c.n"), kPage + 10 * kItem);
  EXPECT_EQ(ChargeOf("SELECT TOP 10 * FROM c WHERE c.g = 3 ORDER BY c.n DESC"), kPage + 10 * kItem);
  EXPECT_EQ(ChargeOf("SELECT VALUE COUNT(1) FROM c"), kPage);
  EXPECT_EQ(ChargeOf("SELECT VALUE COUNT(1) FROM c WHERE c.g = 3"), kPage);
  EXPECT_EQ(ChargeOf("SELECT VALUE SUM(c.n) FROM c WHERE c.g = 3"), kPage + 100 * kItem);
  EXPECT_EQ(ChargeOf("SELECT * FROM c WHERE c.n = c.g"), kPage + 1000 * kItem);
}

TEST_F(IndexedPagesTest, EndsWhenNobodyWaits) {
  MakeIndexed(Policy({"*"}));
  for (int i = 0; i < 1000; ++i) Create("i" + std::to_string(i), R"({"n":1})");
  int looks = 0;
  is_abandoned_ = [&looks] { return ++looks > 2; };
  for (std::string_view text : {"SELECT VALUE SUM(c.n) FROM c WHERE c.n + 1 = 2", "SELECT * FROM c WHERE c.n = 1"}) {
    looks = 0;
    EXPECT_EQ(ReadPage(text, 10'000, {}, true).status.code(), Code::kUnavailable) << text;
    EXPECT_EQ(looks, 3);
  }
}

TEST_F(IndexedPagesTest, AllQueriesShareTheirMemory) {
  MakeIndexed(Policy({"*"}));
  for (int i = 0; i < 20; ++i) Create("i" + std::to_string(i), R"({"s":")" + std::string(10'000, 'x') + "\"}");
  MemoryPool pool(300'000);
  pool_ = &pool;
  const std::string_view text = "SELECT VALUE c.s FROM c ORDER BY c.s";
  EXPECT_TRUE(ReadPage(text, 5, {}, true).status.ok());
  ASSERT_TRUE(pool.Take(250'000));
  EXPECT_EQ(ReadPage(text, 5, {}, true).status.code(), Code::kUnavailable);
  EXPECT_EQ(ReadPage("SELECT VALUE MAKELIST(c.s) FROM c", 5, {}, true).status.code(), Code::kUnavailable);
  EXPECT_EQ(ReadPage("SELECT VALUE CONCAT(c.s, c.s, c.s, c.s, c.s, c.s) FROM c", 5, {}, true).status.code(),
            Code::kUnavailable);
  EXPECT_EQ(pool.held(), 250'000u);
  pool.Give(250'000);
  EXPECT_TRUE(ReadPage(text, 5, {}, true).status.ok());
}

TEST_F(IndexedPagesTest, ItemsThatAreRewrittenBetweenPagesAreNeitherRepeatedNorLost) {
  MakeIndexed(Policy({"*"}));
  for (int i = 0; i < 30; ++i) Create("i" + std::to_string(i), R"({"id":)" + std::to_string(i) + R"(,"g":1})");
  for (std::string_view text : {"SELECT VALUE c.id FROM c WHERE c.g = 1", "SELECT VALUE c.id FROM c ORDER BY c.g"}) {
    std::string all;
    std::string after;
    do {
      Page page = ReadPage(text, 4, after, true);
      ASSERT_TRUE(page.status.ok()) << page.status.ToString();
      all += page.results;
      after = page.resume_after;
      for (int i = 0; i < 30; i += 3) Replace("i" + std::to_string(i), R"({"id":)" + std::to_string(i) + R"(,"g":1})");
    } while (!after.empty());
    EXPECT_EQ(all, Ask(text, 1000, false)) << text;
  }
}

}  // namespace
}  // namespace lapse::query::exec
