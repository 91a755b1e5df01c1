// Deletion of a whole partition key: what readers see of it at once, and what the sweep leaves in the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "engine/catalog/counts/census.h"
#include "engine/partition/erasure/erasure_fixture.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/ids/families.h"
#include "engine/records/prices/prices.h"
#include "engine/time/clock_era.h"
#include "engine/time/clock_mark.h"

namespace lapse::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class ErasureTest : public ErasureFixture {
 protected:
  const std::string kGone = std::string(CodeName(Code::kNotFound));

  void ResetClock(int64_t back_s) {
    engine_.reset();
    wall_.Advance(-back_s * 1000);
    ASSERT_TRUE(BeginClockEra(shard_.get()).ok());
    ASSERT_TRUE(ClockMark(shard_.get(), nullptr).Save({.high_water_ms = wall_.NowMs()}).ok());
    Restart();
  }
};

TEST_F(ErasureTest, EveryReaderLosesTheItemsAtOnce) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 3);
  CreateMany(c, "b", 2);
  EXPECT_EQ(ReadIn(c, "a", "id1"), "a1") << "now it is in the cache";
  ASSERT_TRUE(Erase(c, "a").ok());
  for (const char* id : {"id0", "id1", "id2"}) EXPECT_EQ(ReadIn(c, "a", id), kGone);
  EXPECT_THAT(Feed(c), UnorderedElementsAre("b0", "b1"));
  EXPECT_THAT(Feed(c, OfKey(c, "a")), IsEmpty());
  EXPECT_THAT(Feed(c, OfKey(c, "b")), UnorderedElementsAre("b0", "b1"));
  EXPECT_THAT(Changes(c), UnorderedElementsAre("b0", "b1"));
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 4}));
  EXPECT_EQ(*Census(*c).Erased(), (Count{3, 6}));
  Restart();
  c = Find("c");
  EXPECT_EQ(ReadIn(c, "a", "id1"), kGone);
  EXPECT_THAT(Feed(c), UnorderedElementsAre("b0", "b1"));
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 4}));
}

TEST_F(ErasureTest, IsOneSmallWriteWhateverTheNumberOfItems) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "few", 1);
  CreateMany(c, "many", 300);
  for (const char* pk : {"few", "many"}) {
    const std::vector<std::string> before = Contents();
    ASSERT_TRUE(Erase(c, pk).ok());
    const std::vector<std::string> after = Contents();
    std::vector<std::string> changed;
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(changed));
    ASSERT_EQ(changed.size(), 2U) << "the erasure and the tally";
    EXPECT_LT(changed[0].size() + changed[1].size(), 400U);
    EXPECT_EQ(after.size(), before.size() + 1);
  }
}

TEST_F(ErasureTest, WritesFindNothingThereAndIdsAreFree) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 5);
  const ItemNumber before = c->Read(Address(*c, "a", "id0"))->meta.number;
  ASSERT_TRUE(Erase(c, "a").ok());
  EXPECT_EQ(PutIn(c, "a", WriteKind::kReplace, "id1", "no").status().code(), Code::kNotFound);
  EXPECT_EQ(PutIn(c, "a", WriteKind::kPatch, "id1", "").status().code(), Code::kNotFound);
  EXPECT_EQ(PutIn(c, "a", WriteKind::kDelete, "id2", "").status().code(), Code::kNotFound);
  const Result<ItemWritten> created = CreateIn(c, "a", "id0", "new");
  ASSERT_TRUE(created.ok());
  EXPECT_NE(created->meta.number, before) << "it is another item";
  const Result<ItemWritten> upserted = PutIn(c, "a", WriteKind::kUpsert, "id3", "new too");
  ASSERT_TRUE(upserted.ok());
  EXPECT_TRUE(upserted->created);
  EXPECT_EQ(CreateIn(c, "a", "id0", "no").status().code(), Code::kAlreadyExists);
  EXPECT_THAT(Feed(c), UnorderedElementsAre("new", "new too"));
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 10}));
  EXPECT_EQ(Census(*c).Erased()->items, 3);
  SweepAll();
  EXPECT_THAT(Feed(c), UnorderedElementsAre("new", "new too"));
  EXPECT_THAT(Feed(c, OfKey(c, "a")), UnorderedElementsAre("new", "new too"));
  EXPECT_EQ(*Census(*c).Live(), (Count{2, 10}));
  EXPECT_EQ(Census(*c).Erased()->items, 0);
}

TEST_F(ErasureTest, AWriteOverADeletedItemThatFailsLeavesNoTrace) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 2);
  ASSERT_TRUE(Erase(c, "a").ok());
  const std::vector<std::string> before = Contents();
  EXPECT_EQ(PutIn(c, "a", WriteKind::kReplace, "id1", "no").status().code(), Code::kNotFound);
  EXPECT_EQ(Contents(), before);
}

TEST_F(ErasureTest, TheSweepRemovesEveryRecordAndTheErasure) {
  ContainerPtr c = MakeContainer("c", 1000);
  ASSERT_TRUE(CreateIn(c, "b", "x", "stays", 500).ok());
  CreateMany(c, "a", 700);
  CreateMany(c, "own", 10, 600);
  CreateMany(c, "never", 10, -1);
  for (const char* pk : {"a", "own", "never"}) ASSERT_TRUE(Erase(c, pk).ok());
  EXPECT_EQ(Records(kErasedFamily), 3U);
  SweepAll();
  for (store::FamilyId family : {kHeadFamily, kRecordFamily, kBodyFamily, kMemberFamily, kQueueFamily}) {
    EXPECT_EQ(Records(family), 1U) << family;
  }
  EXPECT_EQ(Records(kCohortFamily), 2U) << "a second and a span of the one that stays";
  EXPECT_EQ(Records(kErasedFamily), 0U);
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 5}));
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 0) << "they were deleted, they did not expire";
  EXPECT_EQ(c->partitions()[0]->tally().stored, (Count{1, 5}));
  EXPECT_THAT(Feed(c), ElementsAre("stays"));
}

TEST_F(ErasureTest, AKeyWithoutItemsIsDeletedTooAndLeavesNothing) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "b", 1);
  ASSERT_TRUE(Erase(c, "a").ok());
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 2}));
  SweepAll();
  EXPECT_EQ(Records(kErasedFamily), 0U);
}

TEST_F(ErasureTest, CountsAreExactAfterEachStepAndAfterRestarts) {
  ContainerPtr c = MakeContainer("c", 100);
  CreateMany(c, "a", 7);
  CreateMany(c, "b", 3);
  ASSERT_TRUE(Erase(c, "a").ok());
  for (int64_t left = 7; left > 0; --left) {
    EXPECT_EQ(Census(*c).Erased()->items, left);
    EXPECT_EQ(*Census(*c).Live(), (Count{3, 6}));
    EXPECT_EQ(Census(*c).ExpiringUntil((kStart_s + 100) * 1000)->items, 3);
    EXPECT_EQ(Feed(c).size(), 3U);
    ASSERT_EQ(SweepStepOf(c, 1)->erased_items, 1);
    if (left % 3 == 0) {
      Restart();
      c = Find("c");
    }
  }
  EXPECT_EQ(Census(*c).Erased()->items, 0);
  EXPECT_EQ(Records(kErasedFamily), 0U) << "it went with the last record";
  EXPECT_EQ(*Census(*c).Live(), (Count{3, 6}));
}

TEST_F(ErasureTest, StepsOfOneHeadGetToTheEndToo) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 3);
  CreateMany(c, "b", 2);
  for (const char* pk : {"a", "b", "empty"}) ASSERT_TRUE(Erase(c, pk).ok());
  ASSERT_TRUE(CreateIn(c, "a", "id1", "new").ok());
  for (int step = 0; Records(kErasedFamily) > 0; ++step) {
    ASSERT_LT(step, 20);
    c->partitions()[0]->QueueSweep({.cohorts_max = 1}, [](const Result<SweepOutcome>& done) {
      ASSERT_TRUE(done.ok());
      EXPECT_TRUE(done->worked && done->more);
    });
  }
  EXPECT_EQ(Records(kHeadFamily), 1U);
}

TEST_F(ErasureTest, ForecastsAndBacklogLeaveDeletedItemsOut) {
  ContainerPtr c = MakeContainer("c", 100);
  CreateMany(c, "a", 4);
  CreateMany(c, "own", 5, 10);
  CreateMany(c, "b", 2);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(Erase(c, "own").ok());
  const int64_t all_dead_ms = (kStart_s + 100) * 1000;
  EXPECT_EQ(Census(*c).ExpiringUntil(all_dead_ms)->items, 2);
  EXPECT_EQ(Census(*c).ExpiringUnder(1)->items, 0);
  PassSeconds(50);
  EXPECT_EQ(Census(*c).ExpiringUnder(50)->items, 2);
  EXPECT_EQ(Census(*c).Expired()->items, 0) << "those with an own ttl were deleted before it ran out";
  EXPECT_EQ(*Census(*c).OldestExpiredMs(), std::nullopt);
  PassSeconds(50);
  EXPECT_EQ(Census(*c).Expired()->items, 2);
  EXPECT_EQ(Census(*c).Live()->items, 0);
  EXPECT_EQ(*Census(*c).OldestExpiredMs(), all_dead_ms);
  SweepAll();
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 2) << "and no deleted one";
  EXPECT_EQ(Records(kHeadFamily), 2U) << "those of purged items go with a compaction";
}

TEST_F(ErasureTest, WhatHadExpiredBeforeCountsAsExpired) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "a", 3);
  PassSeconds(10);
  ASSERT_TRUE(CreateIn(c, "a", "lives", "lives").ok());
  ASSERT_TRUE(Erase(c, "a").ok());
  EXPECT_EQ(Census(*c).Expired()->items, 3);
  EXPECT_EQ(Census(*c).Erased()->items, 1);
  EXPECT_EQ(Census(*c).Live()->items, 0);
  SweepAll();
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 3);
  EXPECT_EQ(Census(*c).Expired()->items, 0);
  EXPECT_EQ(c->partitions()[0]->tally().stored.items, 0);
}

TEST_F(ErasureTest, ASecondDeletionTakesWhatWasWrittenBetweenTheTwo) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 5);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(CreateIn(c, "a", "id0", "between").ok());
  ASSERT_TRUE(CreateIn(c, "a", "new", "between too").ok());
  // The walk skips items newer than the first deletion. Then there is a second deletion.
  ASSERT_EQ(SweepStepOf(c, 2)->erased_items, 2);
  ASSERT_TRUE(Erase(c, "a").ok());
  EXPECT_EQ(Records(kErasedFamily), 2U);
  EXPECT_THAT(Feed(c), IsEmpty());
  EXPECT_EQ(ReadIn(c, "a", "id0"), kGone);
  ASSERT_TRUE(CreateIn(c, "a", "id4", "after").ok());
  EXPECT_THAT(Feed(c), ElementsAre("after"));
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 5}));
  SweepAll();
  EXPECT_EQ(Records(kErasedFamily), 0U);
  EXPECT_EQ(Records(kHeadFamily), 1U);
  EXPECT_THAT(Feed(c), ElementsAre("after"));
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 5}));
}

TEST_F(ErasureTest, UniqueValuesAreFreeAtOnce) {
  ContainerDefinition definition;
  ASSERT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
  definition.name = "c";
  definition.partition_key.paths = {doc::Path({"pk"})};
  definition.unique_keys.keys = {{{doc::Path({"email"})}}};
  ContainerPtr c = *engine_->catalog_store().CreateContainer("db", definition);
  // All documents without the property have the same value for it.
  const std::string empty_document("\x05\0\0\0\0", 5);
  ASSERT_TRUE(CreateIn(c, "a", "first", empty_document).ok());
  EXPECT_EQ(CreateIn(c, "a", "second", empty_document).status().code(), Code::kUniqueKeyTaken);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(CreateIn(c, "a", "second", empty_document).ok());
  EXPECT_EQ(CreateIn(c, "a", "third", empty_document).status().code(), Code::kUniqueKeyTaken);
  SweepAll();
  EXPECT_EQ(CreateIn(c, "a", "third", empty_document).status().code(), Code::kUniqueKeyTaken)
      << "the entry of the second one is still there";
  EXPECT_EQ(Records(kUniqueFamily), 1U);
}

TEST_F(ErasureTest, NoChangeOfPolicyAndNoResetOfTheClockBringsAnythingBack) {
  ContainerPtr c = MakeContainer("c", 10);
  CreateMany(c, "a", 3);
  CreateMany(c, "own", 2, 5);
  PassSeconds(6);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(Erase(c, "own").ok());
  for (const std::optional<int32_t> default_ttl : {std::optional(-1), std::optional<int32_t>(), std::optional(1000)}) {
    ASSERT_TRUE(SetDefaultTtl("c", default_ttl).ok());
    EXPECT_THAT(Feed(c), IsEmpty());
    EXPECT_EQ(Census(*c).Live()->items, 0);
  }
  c.reset();
  ResetClock(3600);
  c = Find("c");
  EXPECT_EQ(ReadIn(c, "a", "id0"), kGone);
  EXPECT_EQ(ReadIn(c, "own", "id0"), kGone);
  EXPECT_THAT(Feed(c), IsEmpty());
  EXPECT_EQ(Census(*c).Live()->items, 0);
  ASSERT_TRUE(CreateIn(c, "a", "id0", "new").ok());
  SweepAll();
  EXPECT_THAT(Feed(c), ElementsAre("new"));
  EXPECT_EQ(*Census(*c).Live(), (Count{1, 3}));
  EXPECT_EQ(Records(kErasedFamily), 0U);
}

TEST_F(ErasureTest, AFeedThatIsUnderWayShowsAPageAsItWasAndNoMoreAfterIt) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 6);
  for (const FeedOptions& scope : {FeedOptions{}, OfKey(c, "a")}) {
    FeedOptions options = scope;
    options.items_max = 3;
    std::vector<std::string> seen;
    auto page = c->ReadFeed(options, [&](const Item& item, Place) {
      const bool first = seen.empty();
      seen.emplace_back(item.document);
      return !first || Erase(c, "a").ok();
    });
    ASSERT_TRUE(page.ok());
    EXPECT_EQ(seen.size(), 3U) << "all of one moment";
    options.after = page->resume_after;
    EXPECT_THAT(Feed(c, options), IsEmpty());
    SweepAll();
    CreateMany(c, "a", 6);
  }
}

TEST_F(ErasureTest, ItCostsADeleteAndMovesTheSessionOn) {
  ContainerPtr c = MakeContainer("c", 1000, 400);
  CreateMany(c, "a", 3);
  const Lsn before = c->partitions()[0]->last_lsn();
  const Result<ItemWritten> erased = Erase(c, "a");
  ASSERT_TRUE(erased.ok());
  EXPECT_EQ(erased->milli_ru, kDeleteMilliRu);
  EXPECT_EQ(erased->partition_lsn, before + 1);
  EXPECT_EQ(c->partitions()[0]->last_lsn(), before + 1);
}

TEST_F(ErasureTest, TheSweepSpendsOnlyWhatUsersLeft) {
  ContainerPtr c = MakeContainer("c", 1000, 400);
  CreateMany(c, "a", 30);
  ASSERT_TRUE(Erase(c, "a").ok());
  Budget& budget = c->budget(0);
  budget.Charge(400'000 - 10 * kPurgeMilliRu);
  PassSeconds(1);
  SweepAll();
  EXPECT_EQ(Census(*c).Erased()->items, 20) << "ten were paid for";
  EXPECT_EQ(Census(*c).PurgedSoFar()->milli_ru, 10 * kPurgeMilliRu);
  PassSeconds(1);
  SweepAll();
  EXPECT_EQ(Census(*c).Erased()->items, 0);
  EXPECT_EQ(Records(kErasedFamily), 0U);
}

TEST_F(ErasureTest, TooManyAreRefusedUntilTheSweepHasComeBy) {
  ContainerPtr c = MakeContainer("c", 1000);
  for (size_t i = 0; i < kErasuresMax; ++i) ASSERT_TRUE(Erase(c, "k" + std::to_string(i % 500)).ok());
  const std::vector<std::string> before = Contents();
  EXPECT_EQ(Erase(c, "more").status().code(), Code::kThrottled);
  EXPECT_EQ(Contents(), before);
  SweepAll();
  EXPECT_EQ(Records(kErasedFamily), 0U);
  EXPECT_TRUE(Erase(c, "more").ok());
}

TEST_F(ErasureTest, ADroppedContainerTakesItsErasuresWithIt) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 3);
  ASSERT_TRUE(Erase(c, "a").ok());
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  EXPECT_EQ(Records(kErasedFamily), 0U);
  EXPECT_EQ(Erase(c, "a").status().code(), Code::kNotFound);
  ContainerPtr again = MakeContainer("c", 1000);
  ASSERT_TRUE(CreateIn(again, "a", "id0", "new").ok());
  EXPECT_EQ(ReadIn(again, "a", "id0"), "new");
}

TEST_F(ErasureTest, ADamagedErasureIsReported) {
  ContainerPtr c = MakeContainer("c", 1000);
  CreateMany(c, "a", 1);
  ASSERT_TRUE(Erase(c, "a").ok());
  const PartitionId id = c->partitions()[0]->id();
  c.reset();
  engine_.reset();
  const std::unique_ptr<store::Iterator> stored = shard_->NewIterator(kErasedFamily, {});
  stored->SeekToFirst();
  const std::string key(stored->key());
  const std::string value(stored->value());
  for (const std::string& bytes : {std::string(), value.substr(0, value.size() - 1), value + "x", "\x07" + value}) {
    store::Batch batch;
    batch.Put(kErasedFamily, key, bytes);
    ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
    EXPECT_EQ(LoadTally(shard_.get(), id).status().code(), Code::kCorruption);
  }
  store::Batch batch;
  batch.Delete(kErasedFamily, key);
  ASSERT_TRUE(shard_->Write(batch, store::Durability::kSync).ok());
  EXPECT_EQ(LoadTally(shard_.get(), id).status().code(), Code::kCorruption) << "the tally says that there is one";
}

}  // namespace
}  // namespace lapse::engine
