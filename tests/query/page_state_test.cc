// A page of a query has one moment: its rows, the time of its functions and the rules of its container belong together,
// whatever happens while it begins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/order_rule.h"
#include "engine/partition/index/index_fixture.h"
#include "engine/shard/purge/engine_families.h"
#include "query/exec/items/test_items.h"
#include "query/exec/query_page.h"
#include "query/functions/date_time.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/number.h"
#include "store/faulty/faulty_shard.h"

namespace lapse::query::exec {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A document with the second of its write.
class ItemWithTs : public DocumentAlone {
 public:
  void Set(const engine::Item& item) override {
    DocumentAlone::Set(item);
    ts_s_ = item.meta.version.ts_s;
  }
  Value Property(std::string_view name, Arena* arena) const override {
    return name == "_ts" ? Value::Int64(ts_s_) : DocumentAlone::Property(name, arena);
  }

 private:
  int64_t ts_s_ = 0;
};

class StateRules : public PageRules {
 public:
  std::unique_ptr<ScannedItem> NewItem(const engine::ContainerState&, const EvalSettings&) const override {
    return std::make_unique<ItemWithTs>();
  }
  Result<bool> LeavesOutUndefined(const PageShape& shape, const engine::IndexingDefinition& indexing,
                                  const AddedProperties& added) const override {
    return api::LeavesOutUndefined(shape, indexing, added);
  }
};

class PageStateTest : public engine::IndexFixture {
 protected:
  PageStateTest() {
    engine_.reset();
    store::FaultyOptions options;
    options.on_call = [this](std::string_view call) {
      if (call == call_ && at_call_ != nullptr) std::exchange(at_call_, nullptr)();
    };
    shard_ = std::make_unique<store::FaultyShard>(options, engine::EngineFamilies(&purge_filter_));
    Restart();
  }
  ~PageStateTest() override {
    // The shard calls back into this fixture.
    engine_.reset();
    shard_.reset();
  }

  // Runs `what` once, at the shard's next call of this name.
  void At(std::string_view call, std::function<void()> what) {
    call_ = call;
    at_call_ = std::move(what);
  }

  // Returns the rows of the first page, which are arrays of numbers.
  Status Ask(std::string_view text, std::vector<std::vector<int64_t>>* rows, bool use_index = true) {
    const Result<sql::SyntaxTree> tree = sql::Parse(text);
    const Result<plan::Plan> plan = sql::Bind(*tree, {});
    EXPECT_TRUE(plan.ok()) << text << plan.status().ToString();
    QueryOptions options;
    options.use_index = use_index;
    options.settings.now_ticks = engine_->clock().NowMs() * kTicksPerMs;  // is ignored
    const auto take = [&](Value result, engine::Place) {
      std::vector<int64_t>& row = rows->emplace_back();
      Elements elements(result);
      while (std::optional<Value> element = elements.Next()) row.push_back(IntegerOf(*element).value_or(-1));
      return true;
    };
    return ReadQueryPage(*plan, *Find("c"), options, StateRules(), take, nullptr).status();
  }

  std::string_view call_;
  std::function<void()> at_call_;
};

// A commit holds its second for the readers of its partition, however far the clock has moved meanwhile.
TEST_F(PageStateTest, NoRowHasExpiredAtTheTimeOfItsFunctions) {
  constexpr int kTtl_s = 2;
  for (const bool use_index : {false, true}) {
    for (const std::string_view text :
         {"SELECT VALUE [c._ts, GetCurrentTimestamp()] FROM c WHERE c.n > 0",
          "SELECT VALUE [c._ts, GetCurrentTimestamp()] FROM c ORDER BY c.n",
          "SELECT VALUE [MIN(c._ts), MAX(GetCurrentTimestamp()), COUNT(1)] FROM c GROUP BY c.n"}) {
      MakeIndexed(Policy({"*"}, {}), kTtl_s);
      Create("old", R"({"n":1})");
      std::vector<std::vector<int64_t>> rows;
      At("Write", [&] {
        PassSeconds(kTtl_s + 1);
        EXPECT_TRUE(Ask(text, &rows, use_index).ok());
      });
      Create("new", R"({"n":2})");
      ASSERT_THAT(rows, SizeIs(1)) << text;
      const int64_t deadline_ms = (rows[0][0] + kTtl_s) * 1000;
      EXPECT_GT(deadline_ms, rows[0][1]) << text;
      ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
    }
  }
}

// The rule for ORDER BY comes from the state that the page shows: a page with items written under the new policy is
// judged by the new policy.
TEST_F(PageStateTest, AChangeOfTheIndexingPolicyDoesNotMixTwoStates) {
  MakeIndexed(Policy({"*"}, {}));
  Create("old", R"({"n":1})");
  At("NewSnapshot", [&] {
    ASSERT_TRUE(ChangePolicy(Policy({"*"}, {"n/?"})).ok());
    Create("new", R"({"n":2})");
  });
  std::vector<std::vector<int64_t>> rows;
  EXPECT_EQ(Ask("SELECT VALUE [c.n] FROM c ORDER BY c.n", &rows).code(), Code::kInvalidArgument);
  EXPECT_THAT(rows, IsEmpty());

  At("NewSnapshot", [&] { ASSERT_TRUE(ChangePolicy(Policy({"*"}, {})).ok()); });
  EXPECT_TRUE(Ask("SELECT VALUE [c.n] FROM c ORDER BY c.n", &rows).ok());
  EXPECT_THAT(rows, ElementsAre(ElementsAre(1), ElementsAre(2)));
}

}  // namespace
}  // namespace lapse::query::exec
