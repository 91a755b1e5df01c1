// Index builds after a change of the policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/fail_point.h"
#include "engine/partition/index/index_fixture.h"
#include "engine/partition/index/index_progress.h"
#include "engine/records/ids/families.h"

namespace lapse::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class IndexBuildTest : public IndexFixture {
 protected:
  IndexRange At(std::string_view name) {
    IndexRange range;
    range.path = PathOf(name);
    return range;
  }

  void CreateMany(int count) {
    for (int i = 0; i < count; ++i) {
      Create("many" + std::to_string(i), R"({"a":1,"b":)" + std::to_string(i) + "}");
    }
  }

  // Takes a turn after the minimum time between turns.
  bool Turn() {
    steady_.AdvanceMs(1000);
    return engine_->BuildTurn();
  }
  void BuildAll() {
    for (int turns = 0; Find("c")->state()->index_in_making.has_value(); ++turns) {
      ASSERT_LT(turns, 1000) << "it does not end";
      Turn();
    }
  }
};

TEST_F(IndexBuildTest, TheOldIndexIsUsedUntilTheNewOneIsWhole) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(600);
  const IndexId before = Find("c")->state()->index->id;
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  EXPECT_EQ(Find("c")->state()->index->id, before);
  EXPECT_EQ(*Find("c")->IndexProgress(), 0);
  ASSERT_TRUE(Turn());
  EXPECT_GT(*Find("c")->IndexProgress(), 0);
  EXPECT_LT(*Find("c")->IndexProgress(), 100);
  EXPECT_EQ(Query(At("a")).size(), 600);
  EXPECT_THAT(Query(At("b")), IsEmpty());
  Check();
  BuildAll();
  EXPECT_EQ(*Find("c")->IndexProgress(), 100);
  EXPECT_NE(Find("c")->state()->index->id, before);
  EXPECT_EQ(Query(At("b")).size(), 600);
  EXPECT_EQ(Check().items, 600);
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 600) << "the index that was given up is gone";
  EXPECT_FALSE(Turn());
}

TEST_F(IndexBuildTest, WritesMeanwhileAreInBoth) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(600);
  ASSERT_TRUE(ChangePolicy(Policy({"*"})).ok());
  std::mt19937 random(7);
  int created = 0;
  for (int turns = 0; Find("c")->state()->index_in_making.has_value(); ++turns) {
    ASSERT_LT(turns, 1000);
    for (int i = 0; i < 20; ++i) {
      const std::string id = "many" + std::to_string(random() % 600);
      const std::string json = R"({"a":)" + std::to_string(random() % 3) + R"(,"c":"x"})";
      switch (random() % 4) {
        case 0: static_cast<void>(PutJson(WriteKind::kDelete, id, "")); break;
        case 1: static_cast<void>(PutJson(WriteKind::kUpsert, id, json)); break;
        case 2: static_cast<void>(PutJson(WriteKind::kReplace, id, json)); break;
        default: Create("new" + std::to_string(created++), json);
      }
    }
    Check();
    Turn();
  }
  EXPECT_EQ(Check().of_gone_items, 0);
}

// No batch exceeds its maximum size.
TEST_F(IndexBuildTest, AnItemWithVeryManyEntriesGetsThemInSteps) {
  const auto numbers = [](int first) {
    std::string json = R"({"a":[)";
    for (int i = first; i < first + 500; ++i) json += std::to_string(i) + ",";
    json.back() = ']';
    return json + "}";
  };
  MakeIndexed(Policy({"b/?"}, {"*"}));
  group_bytes_max_ = 1500;
  Restart();
  for (const char* id : {"small", "large", "larger"}) Create(id, *id == 's' ? R"({"a":[1]})" : numbers(0));
  ASSERT_TRUE(ChangePolicy(Policy({"a/*"}, {"*"})).ok());
  ASSERT_TRUE(Turn());
  EXPECT_TRUE(Find("c")->state()->index_in_making.has_value()) << "one step is not enough";
  // Removes some of the entries that the item has by now, and adds new ones.
  Replace("large", numbers(250));
  ASSERT_TRUE(Turn());
  Restart();
  BuildAll();
  EXPECT_EQ(Check().items, 3);
}

TEST_F(IndexBuildTest, ItGoesOnAfterARestart) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(600);
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  ASSERT_TRUE(Turn());
  const int progress = *Find("c")->IndexProgress();
  EXPECT_GT(progress, 0);
  Restart();
  EXPECT_EQ(*Find("c")->IndexProgress(), progress);
  Check();
  BuildAll();
  EXPECT_EQ(Query(At("b")).size(), 600);
  Check();
  Restart();
  EXPECT_EQ(Query(At("b")).size(), 600);
}

TEST_F(IndexBuildTest, AStepWithAnUnknownOutcomeIsMadeUpFor) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(300);
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  {
    ScopedFailPoint fails("index.step_written", 1, [] { return Status(Code::kUnknownOutcome, "test"); });
    Turn();
    Check();
  }
  BuildAll();
  EXPECT_EQ(Query(At("b")).size(), 300);
  Check();
}

TEST_F(IndexBuildTest, AnEndWithAnUnknownOutcomeGivesTheOldIndexUp) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(100);
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  {
    ScopedFailPoint fails("catalog.change_written", 1, [] { return Status(Code::kUnknownOutcome, "test"); });
    BuildAll();
  }
  EXPECT_EQ(Query(At("b")).size(), 100);
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 100) << "the index that was given up is gone";
}

TEST_F(IndexBuildTest, AnotherChangeMeanwhileWins) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(600);
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  ASSERT_TRUE(Turn());
  ASSERT_TRUE(ChangePolicy(Policy({"c/?"}, {"*"})).ok());
  EXPECT_EQ(*Find("c")->IndexProgress(), 0);
  Check();
  BuildAll();
  EXPECT_EQ(Query(At("c")).size(), 600) << "undefined, of all";
  EXPECT_THAT(Query(At("b")), IsEmpty());
  Check();
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 600);
}

TEST_F(IndexBuildTest, AChangeBackNeedsNoNewIndex) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(10);
  const IndexId before = Find("c")->state()->index->id;
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  ASSERT_TRUE(ChangePolicy(Policy({"a/?"}, {"*"})).ok());
  EXPECT_EQ(Find("c")->state()->index->id, before);
  EXPECT_FALSE(Find("c")->state()->index_in_making.has_value());
  ASSERT_TRUE(ChangePolicy(Policy({"a/?"}, {"*"})).ok());
  EXPECT_FALSE(Find("c")->state()->index_in_making.has_value());
}

TEST_F(IndexBuildTest, NoIndexNeedsNoBuilding) {
  MakeIndexed(Policy({"*"}));
  CreateMany(10);
  ASSERT_TRUE(ChangePolicy({}).ok());
  EXPECT_FALSE(Find("c")->state()->keeps_entries());
  EXPECT_THAT(Query(At("a")), ElementsAre("no index"));
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 0);
  ASSERT_TRUE(ChangePolicy(Policy({"*"})).ok());
  EXPECT_THAT(Query(At("a")), ElementsAre("no index"));
  BuildAll();
  EXPECT_EQ(Query(At("a")).size(), 10);
}

TEST_F(IndexBuildTest, AnEmptyContainerHasItsNewIndexAtOnce) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  EXPECT_FALSE(Find("c")->state()->index_in_making.has_value());
  Create("1", R"({"b":1})");
  EXPECT_EQ(Query(At("b")).size(), 1);
}

TEST_F(IndexBuildTest, AContainerThatIsDroppedTakesBothWithIt) {
  MakeIndexed(Policy({"a/?"}, {"*"}));
  CreateMany(600);
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  ASSERT_TRUE(Turn());
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  EXPECT_FALSE(Turn());
  ASSERT_TRUE(shard_->Compact(kIndexFamily, {}, {}).ok());
  EXPECT_EQ(StoredEntries(), 0);
}

TEST_F(IndexBuildTest, PurgedItemsArePassedOver) {
  MakeIndexed(Policy({"a/?"}, {"*"}), 10);
  CreateMany(100);
  PassSeconds(11);
  while (engine_->SweepTurn()) continue;
  Create("lives", R"({"a":1,"b":1})");
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  BuildAll();
  EXPECT_EQ(Check().items, 1);
  PurgeAll();
  EXPECT_EQ(StoredEntries(), 1);
}

TEST_F(IndexBuildTest, ItLivesOnWhatUsersLeave) {
  MakeIndexed(Policy({"a/?"}, {"*"}), std::nullopt, 400);
  CreateMany(100);
  ASSERT_TRUE(ChangePolicy(Policy({"b/?"}, {"*"})).ok());
  Budget& budget = Find("c")->budget(0);
  ASSERT_TRUE(budget.limited());
  steady_.AdvanceMs(2000);
  budget.Charge(10'000'000);  // 25 seconds' worth
  steady_.AdvanceMs(2000);
  for (int seconds = 0; seconds < 10; ++seconds) {
    EXPECT_FALSE(engine_->BuildTurn());
    steady_.AdvanceMs(1000);
  }
  BuildAll();
  EXPECT_EQ(Query(At("b")).size(), 100);
}

}  // namespace
}  // namespace lapse::engine
