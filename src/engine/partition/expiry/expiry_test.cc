// Expiry and purging, through the engine's own interface.
#include <string>
#include <utility>

#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/prices/prices.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "engine/shard/sweep/sweeper.h"
#include "engine/time/clock_era.h"
#include "engine/time/clock_mark.h"

namespace lapse::engine {
namespace {

class ExpiryTest : public EngineFixture {
 protected:
  void CreateMany(const ContainerPtr& container, const std::string& prefix, int count,
                  std::optional<int32_t> own_ttl = std::nullopt) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Create(container, prefix + std::to_string(i), "0123456789", own_ttl).ok());
    }
  }

  void SweepAll() {
    while (engine_->SweepTurn()) continue;
  }

  size_t StoredKeys(store::FamilyId family) {
    EXPECT_TRUE(shard_->Compact(family, {}, {}).ok());
    std::unique_ptr<store::Iterator> keys = shard_->NewIterator(family, {});
    size_t count = 0;
    for (keys->SeekToFirst(); keys->Valid(); keys->Next()) ++count;
    return count;
  }
};

TEST_F(ExpiryTest, AnItemStopsCountingInTheSecondItExpires) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "inherits", 3);
  CreateMany(c, "own", 2, 20);
  CreateMany(c, "immortal", 1, -1);
  PassSeconds(9);
  EXPECT_EQ(*Census(*c).Live(), (Count{6, 60}));
  EXPECT_EQ(*Census(*c).Expired(), (Count{0, 0}));
  PassSeconds(1);
  EXPECT_EQ(*Census(*c).Live(), (Count{3, 30}));
  EXPECT_EQ(*Census(*c).Expired(), (Count{3, 30}));
  PassSeconds(10);
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 10}));
  EXPECT_EQ(*Census(*c).Expired(), (Count{5, 50}));
}

TEST_F(ExpiryTest, CountsAreExactAcrossSpansOfTime) {
  ContainerPtr c = MakeContainer("c", -1);
  for (int i = 0; i < 40; ++i) {
    CreateMany(c, "at" + std::to_string(i) + "-", 2);
    PassSeconds(997);  // a span is 4,096 seconds: some share one, some do not
  }
  ASSERT_TRUE(SetDefaultTtl("c", 997 * 10).ok());
  EXPECT_EQ(Census(*c).Live()->items, 2 * 9);
  ASSERT_TRUE(SetDefaultTtl("c", std::nullopt).ok());
  EXPECT_EQ(Census(*c).Live()->items, 2 * 9);
  EXPECT_EQ(Census(*c).Expired()->items, 2 * 31);
}

TEST_F(ExpiryTest, AForecastAndAWhatIfChangeNothing) {
  ContainerPtr c = MakeContainer("c", 100);
  CreateMany(c, "early", 3);
  PassSeconds(50);
  CreateMany(c, "late", 2);
  Census census = Census(*c);
  const int64_t now_ms = census.now_ms();
  EXPECT_EQ(census.ExpiringUntil(now_ms + 49'999)->items, 0);
  EXPECT_EQ(census.ExpiringUntil(now_ms + 50'000)->items, 3);
  EXPECT_EQ(census.ExpiringUntil(now_ms + 100'000)->items, 5);
  EXPECT_EQ(census.ExpiringUnder(50)->items, 3);
  EXPECT_EQ(census.ExpiringUnder(51)->items, 0);
  EXPECT_EQ(census.ExpiringUnder(std::nullopt)->items, 0);
  EXPECT_EQ(Census(*c).Live()->items, 5);
}

TEST_F(ExpiryTest, TheAgeOfTheBacklogCountsFromWhenItsFirstItemBecameInvisible) {
  ContainerPtr c = MakeContainer("c", 1000);
  EXPECT_EQ(*Census(*c).OldestExpiredMs(), std::nullopt);
  CreateMany(c, "a", 1);
  PassSeconds(100);
  CreateMany(c, "own", 1, 5);
  ASSERT_TRUE(SetDefaultTtl("c", 10).ok());  // expires the first item now
  const int64_t killed_ms = Census(*c).now_ms();
  PassSeconds(50);
  EXPECT_EQ(*Census(*c).OldestExpiredMs(), killed_ms);
  ASSERT_TRUE(SetDefaultTtl("c", std::nullopt).ok());
  PassSeconds(50);
  EXPECT_EQ(*Census(*c).OldestExpiredMs(), killed_ms);
}

TEST_F(ExpiryTest, PurgedItemsGiveTheirSpaceBack) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "inherits", 5);
  CreateMany(c, "own", 5, 5);
  CreateMany(c, "stays", 2, 1000);
  PassSeconds(10);
  SweepAll();
  EXPECT_EQ(*Census(*c).Expired(), (Count{0, 0}));
  EXPECT_EQ(Census(*c).PurgedSoFar()->total, (Count{10, 100}));
  EXPECT_EQ(Census(*c).PurgedSoFar()->milli_ru, 10 * kPurgeMilliRu);
  for (store::FamilyId family : {kHeadFamily, kRecordFamily, kBodyFamily, kQueueFamily})
    EXPECT_EQ(StoredKeys(family), 2U) << family;
  EXPECT_EQ(Read(c, "stays1"), "0123456789");
  EXPECT_EQ(Feed(c).size(), 2U);
}

// A page continues at the moment at which it began. Items that were live then are on it, even if they are purged
// meanwhile.
TEST_F(ExpiryTest, APageShowsAllThatLivedWhenItBegan) {
  for (store::FamilyId reclaimed : {kBodyFamily, kHeadFamily, kRecordFamily}) {
    ContainerPtr c = MakeContainer("c" + std::to_string(reclaimed), 10);
    CreateMany(c, "dies", 3);
    CreateMany(c, "lives", 2, 1000);
    bool purged = false;
    size_t shown = 0;
    auto page = c->ReadFeed({}, [&](const Item&, Place) {
      ++shown;
      if (!std::exchange(purged, true)) {
        StepWallSeconds(10);
        SweepAll();
        StoredKeys(reclaimed);
      }
      return true;
    });
    EXPECT_TRUE(page.ok()) << page.status().ToString();
    EXPECT_EQ(shown, 5U);
    EXPECT_EQ(StoredKeys(reclaimed), 2U) << "after it they go";
    EXPECT_EQ(Read(c, "dies2"), CodeName(Code::kNotFound));
    EXPECT_EQ(Feed(c).size(), 2U);
    size_t changes = 0;
    EXPECT_TRUE(c->ReadChanges({}, [&](const Item&, Place) { return ++changes > 0; }).ok());
    EXPECT_EQ(changes, 2U);
    ASSERT_TRUE(Create(c, "dies2", "again").ok());
    EXPECT_EQ(Read(c, "dies2"), "again");
    EXPECT_EQ(*Census(*c).Live(), (Count{3, 25}));
    ASSERT_TRUE(engine_->catalog_store().DropContainer("db", c->state()->definition.name, 0).ok());
  }
}

// Members have no lifetime. They are dropped according to their items' records.
TEST_F(ExpiryTest, MembersOfPurgedItemsGo) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "dies", 20);
  CreateMany(c, "lives", 3, 1000);
  ASSERT_TRUE(Put(c, ItemWrite::Kind::kDelete, "lives0", "").ok());
  PassSeconds(10);
  EXPECT_EQ(StoredKeys(kMemberFamily), 22U);
  SweepAll();
  ASSERT_TRUE(Create(c, "dies0", "again").ok()) << "under a number that the mark does not know yet";
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(StoredKeys(kMemberFamily), 3U);
  EXPECT_EQ(Feed(c), (std::vector<std::string>{"0123456789", "0123456789", "again"}));
  FeedOptions of_key;
  of_key.scope.exact = Address(*c, "pk", "").key;
  EXPECT_EQ(Feed(c, of_key).size(), 3U);
  // Items purged before a start are reclaimed after it.
  CreateMany(c, "more", 10);
  PassSeconds(10);
  SweepAll();
  Restart();
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(StoredKeys(kMemberFamily), 2U);
}

TEST_F(ExpiryTest, AMarkWaitsForThePagesBeforeIt) {
  ContainerPtr c = MakeContainer("c", -1);
  CreateMany(c, "a", 3);
  CreateMany(c, "dies", 3, 1);
  FeedOptions of_key;
  of_key.scope.exact = Address(*c, "pk", "").key;
  std::vector<std::string> seen;
  auto page = c->ReadFeed(of_key, [&](const Item& item, Place) {
    if (seen.empty()) {
      for (const char* id : {"a0", "a1", "a2"}) EXPECT_TRUE(Put(c, ItemWrite::Kind::kDelete, id, "").ok());
      StepWallSeconds(2);
      SweepAll();
      while (engine_->QuietReclaimTurn()) continue;
      StoredKeys(kMemberFamily);
    }
    seen.emplace_back(item.document);
    return true;
  });
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_EQ(seen.size(), 6U) << "all that lived when the page began";
  while (engine_->QuietReclaimTurn()) continue;
  EXPECT_EQ(StoredKeys(kMemberFamily), 0U);
}

TEST_F(ExpiryTest, NothingIsDroppedBeforeItIsSwept) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "a", 5);
  PassSeconds(100);
  EXPECT_EQ(StoredKeys(kBodyFamily), 5U);
}

TEST_F(ExpiryTest, AWriteOverADeadItemAccountsForItOnce) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "a", 3);
  PassSeconds(10);
  ASSERT_TRUE(Create(c, "a0", "new").ok());
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 3}));
  EXPECT_EQ(*Census(*c).Expired(), (Count{2, 20}));
  EXPECT_EQ(Census(*c).PurgedSoFar()->total, (Count{1, 10}));
  EXPECT_EQ(Census(*c).PurgedSoFar()->milli_ru, 0);
  SweepAll();
  ASSERT_TRUE(Create(c, "a1", "new").ok());
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 6}));
  EXPECT_EQ(Census(*c).PurgedSoFar()->total, (Count{3, 30}));
}

TEST_F(ExpiryTest, WhatDiedBeforeTtlWasTurnedOffIsStillPurged) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "dies", 3);
  PassSeconds(10);
  CreateMany(c, "lives", 2);
  ASSERT_TRUE(SetDefaultTtl("c", std::nullopt).ok());
  SweepAll();
  PassSeconds(100);
  SweepAll();
  EXPECT_EQ(*Census(*c).Expired(), (Count{0, 0}));
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 20}));
  EXPECT_EQ(StoredKeys(kHeadFamily), 2U);
}

TEST_F(ExpiryTest, AHeldClockHoldsTheSweeper) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "a", 3);
  PassSeconds(1);
  EXPECT_EQ(Census(*c).Live()->items, 3);
  PassSeconds(10);
  EXPECT_EQ(Census(*c).Expired()->items, 3);
  wall_.Advance(1000LL * 3'600'000);
  steady_.AdvanceMs(1000);
  ASSERT_EQ(Census(*c).Expired()->items, 3);
  ASSERT_TRUE(engine_->clock().held());
  EXPECT_FALSE(engine_->SweepTurn());
  ASSERT_TRUE(engine_->clock().Accept().ok());
  EXPECT_TRUE(engine_->SweepTurn());
  EXPECT_EQ(Census(*c).Expired()->items, 0);
}

TEST_F(ExpiryTest, APurgedItemStaysGoneWhenTheClockIsReset) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "a", 3);
  PassSeconds(10);
  SweepAll();
  engine_.reset();
  wall_.Advance(-3600 * 1000);
  ASSERT_TRUE(BeginClockEra(shard_.get()).ok());
  ASSERT_TRUE(ClockMark(shard_.get(), nullptr).Save({.high_water_ms = wall_.NowMs()}).ok());
  Restart();
  c = Find("c");
  EXPECT_EQ(Read(c, "a0"), CodeName(Code::kNotFound));
  EXPECT_EQ(*Census(*c).Live(), (Count{0, 0}));
  CreateMany(c, "b", 2);
  EXPECT_EQ(Read(c, "b0"), "0123456789");
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 20}));
  PassSeconds(10);
  SweepAll();
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 5);
}

// Before the reset, a cohort's sequences continue into the next chunk, and a policy's floor ends within one. Items
// written after the reset have the same seconds again.
TEST_F(ExpiryTest, CohortsThatStraddleAChunkStayApartFromThoseAfterAReset) {
  ContainerPtr c = MakeContainer("c", 10);
  const PartitionId id = c->partitions()[0]->id();
  c.reset();
  engine_.reset();
  PartitionTally tally = *LoadTally(shard_.get(), id);
  tally.last_sequence = (uint64_t{1} << kEraBits) - 3;
  store::Batch batch;
  batch.Put(kMetaFamily, PartitionTallyKey(id), EncodeTally(tally));
  ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  Restart();
  c = Find("c");
  CreateMany(c, "dies", 5);
  CreateMany(c, "own", 5, 10);
  PassSeconds(10);
  CreateMany(c, "lives", 2);
  ASSERT_TRUE(SetDefaultTtl("c", 1000).ok());
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 20}));
  EXPECT_EQ(*Census(*c).Expired(), (Count{10, 100}));
  c.reset();
  engine_.reset();
  wall_.Advance(-10 * 1000);
  ASSERT_TRUE(BeginClockEra(shard_.get()).ok());
  ASSERT_TRUE(ClockMark(shard_.get(), nullptr).Save({.high_water_ms = wall_.NowMs()}).ok());
  Restart();
  c = Find("c");
  CreateMany(c, "again", 4);
  CreateMany(c, "own again", 4, 10);
  // Items whose deadline is in the future again are live again, which is the purpose of a reset.
  EXPECT_EQ(Census(*c).Live()->items, 2 + 8 + 5);
  EXPECT_EQ(Feed(c).size(), 15U);
  SweepAll();
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 5) << "a policy's floor had taken these for good";
  EXPECT_EQ(Feed(c).size(), 15U);
  PassSeconds(10);
  SweepAll();
  EXPECT_EQ(Feed(c).size(), 6U);
  EXPECT_EQ(*Census(*c).Live(), (Count{6, 60}));
  EXPECT_EQ(*Census(*c).Expired(), (Count{0, 0}));
}

TEST_F(ExpiryTest, CountsSurviveARestart) {
  ContainerPtr c = MakeContainer("c", 10, 25'000);
  for (int i = 0; i < 30; ++i) {
    ItemWrite write;
    write.address = Address(*c, "pk" + std::to_string(i), "id");
    write.document = "0123456789";
    ASSERT_TRUE(Write(c, std::move(write)).ok());
  }
  PassSeconds(10);
  engine_->SweepTurn();
  Restart();
  c = Find("c");
  EXPECT_EQ(Census(*c).PurgedSoFar()->total, (Count{30, 300}));
  EXPECT_EQ(*Census(*c).Live(), (Count{0, 0}));
  EXPECT_EQ(*Census(*c).Expired(), (Count{0, 0}));
}

}  // namespace
}  // namespace lapse::engine
