// Tests the cost of finding items by an index: item numbers count toward the memory of all queries, and entries that
// cannot pay for themselves are not read.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/partition/index/index_fixture.h"
#include "query/exec/items/test_items.h"
#include "query/exec/query_page.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/memory_pool.h"

namespace lapse::query::exec {
namespace {

constexpr size_t kItems = 2000;
// The page checks its watch every 64 entries. By then it has read more than half of the matching entries, and no item.
constexpr int kLooks = 10;
constexpr size_t kNumbersBytes = kItems / 2 * sizeof(engine::ItemNumber);

// Must not be read.
class UnseenItem : public ScannedItem {
 public:
  void Set(const engine::Item&) override {}
  Meaning MeaningOf(std::string_view) const override { return Meaning::kNotAdded; }
  std::optional<engine::ItemNumber> NumberOf(std::string_view) const override { return std::nullopt; }
  Value Property(std::string_view, Arena*) const override { return {}; }
  Value Whole(Arena*) const override { return {}; }
};

class CandidatesTest : public engine::IndexFixture {
 protected:
  void SetUp() override {
    const engine::ContainerPtr container = MakeIndexed(Policy({"*"}, {}));
    for (size_t i = 0; i < kItems; ++i) {
      ASSERT_TRUE(
          EngineFixture::Create(container, "i" + std::to_string(i), Bson(i % 2 == 0 ? R"({"a":1})" : R"({"a":2})"))
              .ok());
    }
  }

  // Half of the items match.
  Status Count(MemoryPool* pool, const std::string& filter = "c.a = 1") {
    const Result<sql::SyntaxTree> tree = sql::Parse("SELECT VALUE COUNT(1) FROM c WHERE " + filter);
    const Result<plan::Plan> plan = sql::Bind(*tree, {});
    QueryOptions options;
    options.settings.pool = pool;
    options.let_others = [&] {
      if (++looks_ == kLooks) held_while_finding_ = pool->held();
    };
    const auto take = [](Value, engine::Place) { return true; };
    return ReadQueryPage(*plan, *Find("c"), options, RulesFor<UnseenItem>(), take, nullptr).status();
  }

  int looks_ = 0;
  size_t held_while_finding_ = 0;
};

TEST_F(CandidatesTest, NumbersAreCountedWhileTheyAreHeld) {
  MemoryPool pool(size_t{1} << 30);
  ASSERT_TRUE(Count(&pool).ok());
  EXPECT_GE(held_while_finding_, kNumbersBytes / 2);
  EXPECT_EQ(pool.held(), 0u);
}

TEST_F(CandidatesTest, AQueryThatGetsNoMemoryForThemIsTurnedAway) {
  MemoryPool pool(kNumbersBytes / 2);
  const Status status = Count(&pool);
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_EQ(status.message(), PoolInUse().message());
  EXPECT_EQ(pool.held(), 0u);
}

TEST_F(CandidatesTest, ALargePartBesideASmallOneIsNotRead) {
  const engine::ContainerPtr container = Find("c");
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(EngineFixture::Create(container, "few" + std::to_string(i), Bson(R"({"a":2,"b":1})")).ok());
  }
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(EngineFixture::Create(container, "many" + std::to_string(i), Bson(R"({"b":2,"c":1})")).ok());
  }
  MemoryPool pool(size_t{1} << 30);
  const auto looks_for = [&](const std::string& filter) {
    looks_ = 0;
    EXPECT_TRUE(Count(&pool, filter).ok());
    return looks_;
  };
  // Reads only as many of the 3000 entries as pay for 100 items.
  EXPECT_LE(looks_for("c.b = 1 AND c.c = 1"), looks_for("c.b = 1") + 2);
}

}  // namespace
}  // namespace lapse::query::exec
