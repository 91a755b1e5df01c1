// Tests queries in the order of an index whose first entries all belong to expired items.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/partition/index/index_fixture.h"
#include "engine/partition/learned/dead_runs.h"
#include "engine/partition/learned/index_memory.h"
#include "engine/shard/partitions/partition.h"
#include "query/exec/items/test_items.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/json_text.h"

namespace lapse::query::exec {
namespace {

using engine::ItemWrite;

// Three partitions with 1500 items that expire soon, with n from 0 on, and 30 that stay, with n from 10,000 on.
class DeadHeadTest : public engine::IndexFixture {
 protected:
  static constexpr int kDead = 1500;
  static constexpr int kFirstLive = 10'000;
  static constexpr int kTtl_s = 10;

  void SetUp() override {
    rate_limiting_ = engine::RateLimiting::kOff;
    Restart();
    engine::IndexingDefinition policy = Policy({"*"}, {});
    policy.composites.push_back({{{"g"}, false}, {{"n"}, true}});
    MakeIndexed(policy, -1, 18'000);
    ASSERT_EQ(Find("c")->partitions().size(), 3u);
    for (int i = 0; i < kDead; ++i) Write(i, kTtl_s);
    for (int i = 0; i < 30; ++i) Write(kFirstLive + i);
  }

  void Write(int n, std::optional<int32_t> ttl = std::nullopt) {
    ItemWrite write;
    write.kind = ItemWrite::Kind::kUpsert;
    const std::string id = "i" + std::to_string(n);
    write.address = Address(*Find("c"), id, id);
    write.document = Bson(R"({"n":)" + std::to_string(n) + R"(,"m":)" + std::to_string(-n) + R"(,"g":1})");
    write.own_ttl = ttl;
    ASSERT_TRUE(EngineFixture::Write(Find("c"), std::move(write)).ok());
  }

  // Returns the first page.
  std::string Ask(std::string_view text, const engine::KeyScope& scope = {}) {
    const Result<sql::SyntaxTree> tree = sql::Parse(text);
    EXPECT_TRUE(tree.ok()) << text;
    const Result<plan::Plan> plan = sql::Bind(*tree, {});
    EXPECT_TRUE(plan.ok()) << text << plan.status().ToString();
    std::string results;
    QueryOptions options;
    options.results_max = 100;
    options.scope = scope;
    const auto take = [&](Value result, engine::Place) {
      AppendJson(result, &results);
      results += " ";
      return true;
    };
    const uint64_t before = DeadLookedAt();
    const Result<QueryPage> read = ReadQueryPage(*plan, *Find("c"), options, RulesFor<DocumentAlone>(), take, nullptr);
    EXPECT_TRUE(read.ok()) << read.status().ToString();
    dead_looked_at_ = DeadLookedAt() - before;
    return results;
  }

  uint64_t DeadLookedAt() {
    uint64_t count = 0;
    for (const auto& partition : Find("c")->partitions()) count += partition->index_memory()->dead_runs.counts().passed;
    return count;
  }

  uint64_t dead_looked_at_ = 0;  // by the last query
};

TEST_F(DeadHeadTest, TheSecondQueryPassesOverTheDead) {
  PassSeconds(kTtl_s);
  for (const std::string_view query : {"SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 0 LIMIT 3",
                                       "SELECT VALUE c.n FROM c ORDER BY c.m DESC OFFSET 0 LIMIT 3",
                                       "SELECT VALUE c.n FROM c ORDER BY c.g DESC, c.n ASC OFFSET 0 LIMIT 3"}) {
    EXPECT_EQ(Ask(query), "10000 10001 10002 ") << query;
    EXPECT_EQ(dead_looked_at_, uint64_t{kDead}) << query;
    EXPECT_EQ(Ask(query), "10000 10001 10002 ") << query;
    EXPECT_EQ(dead_looked_at_, 0u) << query;
  }
  // Backwards the query begins with live items, and another query benefits from what earlier ones learned.
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c ORDER BY c.n DESC OFFSET 0 LIMIT 1"), "10029 ");
  EXPECT_EQ(Ask("SELECT VALUE MIN(c.n) FROM c"), "10000 ");
  EXPECT_EQ(dead_looked_at_, 0u);
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c WHERE c.n < 10001 ORDER BY c.n DESC"), "10000 ");
}

TEST_F(DeadHeadTest, MinLearnsToo) {
  PassSeconds(kTtl_s);
  EXPECT_EQ(Ask("SELECT VALUE MIN(c.n) FROM c"), "10000 ");
  EXPECT_EQ(dead_looked_at_, uint64_t{kDead});
  EXPECT_EQ(Ask("SELECT VALUE MIN(c.n) FROM c"), "10000 ");
  EXPECT_EQ(dead_looked_at_, 0u);
}

TEST_F(DeadHeadTest, WhatIsWrittenAmongTheDeadIsFoundAtOnce) {
  PassSeconds(kTtl_s);
  constexpr std::string_view kUp = "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 0 LIMIT 3";
  constexpr std::string_view kDown = "SELECT VALUE c.n FROM c WHERE c.n < 5000 ORDER BY c.n DESC";
  Ask(kUp);
  Write(700);
  EXPECT_EQ(Ask(kUp), "700 10000 10001 ");
  EXPECT_EQ(Ask(kDown), "700 ");
  Write(3);
  Write(1200);
  EXPECT_EQ(Ask(kUp), "3 700 1200 ");
  EXPECT_EQ(Ask(kDown), "1200 700 3 ");
  EXPECT_EQ(dead_looked_at_, 0u);
}

// Items of the partition outside the part are skipped without a check whether they live.
TEST_F(DeadHeadTest, APartOfAPartitionTeachesNothing) {
  engine::KeyScope one_key;
  one_key.exact = Address(*Find("c"), "i3", "").key;
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 0 LIMIT 3", one_key), "3 ");
  for (const auto& partition : Find("c")->partitions()) {
    if (!partition->range().Contains(one_key.exact->epk)) continue;
    engine::KeyScope some_keys;
    some_keys.range = {one_key.exact->epk, partition->range().max};
    EXPECT_NE(Ask("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 0 LIMIT 3", some_keys), "");
  }
  for (const auto& partition : Find("c")->partitions())
    EXPECT_EQ(partition->index_memory()->dead_runs.counts().learned, 0u);
  EXPECT_EQ(Ask("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 0 LIMIT 3"), "0 1 2 ");
}

}  // namespace
}  // namespace lapse::query::exec
