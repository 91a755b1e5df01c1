#include "engine/shard/purge/purge_filter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fail_point.h"
#include "engine/catalog/counts/census.h"
#include "engine/engine_fixture.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/expiry/cohort.h"
#include "engine/records/expiry/live_items.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/unique_keys/unique_entry.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::engine {
namespace {

constexpr ContainerId kContainer = 7;
constexpr PartitionNumber kPartition = 3;

struct Record {
  std::string key;
  std::string value;
};

ttl::Lifetime Inheriting(int64_t ts_s, Sequence sequence) {
  ttl::Lifetime lifetime;
  lifetime.ts_s = ts_s;
  lifetime.sequence = sequence;
  return lifetime;
}

Record Head(const ttl::Lifetime& lifetime, ContainerId container = kContainer, PartitionNumber partition = kPartition) {
  Record record{HeadKey(container, {{"epk", ""}, StringItemId("id")}), ""};
  HeadRecord head;
  head.lifetime = lifetime;
  head.partition = partition;
  EncodeHead(head, &record.value);
  return record;
}

Record Body(const ttl::Lifetime& lifetime, ContainerId container = kContainer, PartitionNumber partition = kPartition) {
  Record record{BodyKey({container, partition}, lifetime), ""};
  EncodeBody({.lifetime = lifetime, .lsn = 1, .number = 1, .head_key = "head", .document = "document"}, &record.value);
  return record;
}

class PurgeFilterTest : public ::testing::Test {
 protected:
  bool DropsHead(const Record& record) const { return filter_.heads()->MayDrop(record.key, record.value); }
  bool DropsBody(const Record& record) const { return filter_.bodies()->MayDrop(record.key, record.value); }

  void Purge(int64_t base_s, Sequence sequence) {
    PartitionTally tally;
    tally.purged.floors.Raise(ttl::kInheritRule, {base_s * 1000, sequence});
    filter_.Add({kContainer, kPartition}, tally, tally.purged.floors);
  }
  bool DropsChange(Sequence sequence, ContainerId container = kContainer,
                   PartitionNumber partition = kPartition) const {
    return filter_.logs()->MayDrop(LogKey({container, partition}, sequence), "not looked at");
  }
  bool DropsCohort(ContainerId container) const {
    return filter_.cohorts()->MayDrop(CohortKey({container, kPartition}, {}), EncodeCount({}));
  }

  PurgeFilter filter_;
};

TEST_F(PurgeFilterTest, KeepsEverythingUntilAFloorIsPublished) {
  EXPECT_FALSE(DropsHead(Head(Inheriting(0, 0))));
  EXPECT_FALSE(DropsBody(Body(Inheriting(0, 0))));
  filter_.Add({kContainer, kPartition}, {}, {});
  EXPECT_FALSE(DropsHead(Head(Inheriting(0, 0))));
  EXPECT_FALSE(DropsBody(Body(Inheriting(0, 0))));
  EXPECT_FALSE(DropsChange(0));
}

TEST_F(PurgeFilterTest, DropsWhatIsUnderTheFloorOfItsOwnPartition) {
  Purge(100, 50);
  EXPECT_TRUE(DropsHead(Head(Inheriting(100, 50))));
  EXPECT_TRUE(DropsBody(Body(Inheriting(99, 1))));
  EXPECT_FALSE(DropsHead(Head(Inheriting(101, 50))));
  EXPECT_FALSE(DropsBody(Body(Inheriting(100, 51))));
  EXPECT_FALSE(DropsHead(Head(Inheriting(100, 50), kContainer + 1)));
  EXPECT_FALSE(DropsHead(Head(Inheriting(100, 50), kContainer, kPartition + 1)));
  EXPECT_FALSE(DropsBody(Body(Inheriting(99, 1), kContainer, kPartition + 1)));
  ttl::Lifetime immortal = Inheriting(1, 1);
  immortal.own_ttl = -1;
  EXPECT_FALSE(DropsHead(Head(immortal)));
}

TEST_F(PurgeFilterTest, KeepsWhatItCannotRead) {
  Purge(100, 50);
  const Record head = Head(Inheriting(100, 50));
  const Record body = Body(Inheriting(100, 50));
  EXPECT_FALSE(DropsHead({head.key, ""}));
  EXPECT_FALSE(DropsHead({head.key, "\xff" + head.value}));
  EXPECT_FALSE(DropsHead({"k", head.value}));
  EXPECT_FALSE(DropsBody({body.key, ""}));
  EXPECT_FALSE(DropsBody({body.key.substr(0, 5), body.value}));
}

TEST_F(PurgeFilterTest, NothingOfTheCatalogIsAskedAbout) {
  const std::vector<store::FamilyOptions> families = EngineFamilies(&filter_);
  EXPECT_EQ(families[kMetaFamily].drop, nullptr);
  for (store::FamilyId family = kMetaFamily + 1; family < families.size(); ++family) {
    EXPECT_NE(families[family].drop, nullptr) << families[family].name;
  }
}

TEST_F(PurgeFilterTest, DropsChangesUpToTheFloorOfTheirLog) {
  PartitionTally tally;
  tally.log_floor = 50;
  filter_.Add({kContainer, kPartition}, tally, tally.purged.floors);
  EXPECT_TRUE(DropsChange(50));
  EXPECT_FALSE(DropsChange(51));
  EXPECT_FALSE(DropsChange(50, kContainer + 1));
  EXPECT_FALSE(DropsChange(50, kContainer, kPartition + 1));
  EXPECT_FALSE(filter_.logs()->MayDrop("no key", ""));
  EXPECT_FALSE(DropsBody(Body(Inheriting(0, 1)))) << "items have floors of their own";
  EXPECT_FALSE(DropsCohort(kContainer));

  std::unique_ptr<store::DropPredicate::Summary> changes = filter_.logs()->NewSummary();
  for (Sequence sequence : {7, 50}) changes->Add(LogKey({kContainer, kPartition}, sequence), "");
  EXPECT_TRUE(filter_.logs()->MayDropAll(changes->Bytes()));
  changes->Add(LogKey({kContainer, kPartition}, 51), "");
  EXPECT_FALSE(filter_.logs()->MayDropAll(changes->Bytes()));
}

TEST_F(PurgeFilterTest, DropsEverythingOfAContainerThatIsGone) {
  ttl::Lifetime immortal = Inheriting(1, 1);
  immortal.own_ttl = -1;
  filter_.Add({kContainer, kPartition}, {}, {});
  filter_.Add({kContainer + 2, kPartition}, {}, {});
  EXPECT_FALSE(DropsHead(Head(immortal, kContainer - 1))) << "of others it knows nothing yet";
  filter_.KnowsAllUpTo(kContainer + 1);
  EXPECT_TRUE(DropsHead(Head(immortal, kContainer - 1)));
  EXPECT_FALSE(DropsHead(Head(immortal)));
  EXPECT_TRUE(DropsBody(Body(immortal, kContainer + 1)));
  EXPECT_TRUE(DropsChange(9, kContainer + 1));
  EXPECT_TRUE(DropsCohort(kContainer + 1));
  EXPECT_FALSE(DropsBody(Body(immortal, kContainer + 2)));
  EXPECT_FALSE(DropsBody(Body(immortal, kContainer + 3))) << "it may have been made meanwhile";

  filter_.Forget(kContainer + 2);
  EXPECT_TRUE(DropsBody(Body(immortal, kContainer + 2)));
  EXPECT_FALSE(DropsBody(Body(immortal)));
  EXPECT_FALSE(DropsBody(Body(immortal, kContainer + 3)));
}

TEST_F(PurgeFilterTest, DropsWhatLiesAmongContainersThatAreGone) {
  filter_.Add({kContainer, kPartition}, {}, {});
  filter_.KnowsAllUpTo(kContainer + 2);
  auto between = [this](ContainerId first, ContainerId last) {
    return filter_.bodies()->MayDropBetween(ContainerPrefix(first) + "a", ContainerPrefix(last) + "b");
  };
  EXPECT_TRUE(between(1, kContainer - 1));
  EXPECT_TRUE(between(kContainer + 1, kContainer + 2));
  EXPECT_FALSE(between(kContainer - 1, kContainer + 1));
  EXPECT_FALSE(between(kContainer, kContainer));
  EXPECT_FALSE(between(kContainer + 1, kContainer + 3));
  EXPECT_FALSE(filter_.bodies()->MayDropBetween("", ""));
}

class PublishedFloorTest : public EngineFixture {
 protected:
  size_t StoredBodies() {
    EXPECT_TRUE(shard_->Compact(kBodyFamily, {}, {}).ok());
    std::unique_ptr<store::Iterator> bodies = shard_->NewIterator(kBodyFamily, {});
    size_t count = 0;
    for (bodies->SeekToFirst(); bodies->Valid(); bodies->Next()) ++count;
    return count;
  }
};

TEST_F(PublishedFloorTest, AStepThatWasNotWrittenDropsNothing) {
  ContainerPtr c = MakeContainer("c", 10);
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(Create(c, id, "d").ok());
  PassSeconds(10);
  {
    ScopedFailPoint fails("sweep.before_write", 1, [] { return Status(Code::kUnavailable, "the disk fails"); });
    EXPECT_FALSE(engine_->SweepTurn());
  }
  EXPECT_EQ(StoredBodies(), 3U);
  EXPECT_EQ(Census(*c).Expired()->items, 3);
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 0);

  EXPECT_TRUE(engine_->SweepTurn());
  EXPECT_EQ(StoredBodies(), 0U);
}

// A floor that only a commit in doubt may have raised must drop nothing.
TEST_F(PublishedFloorTest, AStepInDoubtDropsNothing) {
  ContainerPtr c = MakeContainer("c", 10);
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(Create(c, id, "d").ok());
  PassSeconds(10);
  {
    ScopedFailPoint fails("sweep.after_write", 1, [] { return Status(Code::kUnknownOutcome, "the disk fails"); });
    EXPECT_FALSE(engine_->SweepTurn());
  }
  EXPECT_EQ(Census(*c).PurgedSoFar()->total.items, 3) << "it counts";
  EXPECT_EQ(StoredBodies(), 3U);
  Restart();
  EXPECT_EQ(StoredBodies(), 0U) << "what the next start finds is durable";
}

TEST_F(PurgeFilterTest, ASummaryIsPurgedWhenEveryRecordOfItIs) {
  const std::vector<Record> records = {Body(Inheriting(10, 5)), Body(Inheriting(20, 9)), Body(Inheriting(15, 7))};
  std::unique_ptr<store::DropPredicate::Summary> bodies = filter_.bodies()->NewSummary();
  std::unique_ptr<store::DropPredicate::Summary> heads = filter_.heads()->NewSummary();
  for (const Record& record : records) bodies->Add(record.key, record.value);
  for (int64_t ts_s : {10, 20}) heads->Add(Head(Inheriting(ts_s, 9)).key, Head(Inheriting(ts_s, 9)).value);
  auto all = [&] {
    const bool of_bodies = filter_.bodies()->MayDropAll(bodies->Bytes());
    EXPECT_EQ(filter_.heads()->MayDropAll(heads->Bytes()), of_bodies);
    return of_bodies;
  };
  EXPECT_FALSE(all()) << "no floor is published";
  Purge(20, 8);
  EXPECT_FALSE(all()) << "one has a later LSN";
  Purge(19, 9);
  EXPECT_FALSE(all()) << "one has a later base";
  Purge(20, 9);
  EXPECT_TRUE(all());
  EXPECT_FALSE(filter_.bodies()->MayDropAll("")) << "nothing is known of it";

  bodies->Add("no key", "no record");
  EXPECT_FALSE(filter_.bodies()->MayDropAll(bodies->Bytes())) << "one cannot be read";
}

TEST_F(PurgeFilterTest, AnEntryOfAUniqueKeyGoesWithTheLastOfItsItems) {
  const std::string head_key = HeadKey(kContainer, {{"epk", ""}, StringItemId("id")});
  const std::string key = UniqueEntryKey(head_key, 0, {});
  auto entry = [](const std::vector<uint64_t>& creations) {
    std::vector<ItemNumber> holders;
    for (uint64_t creation : creations) holders.push_back(MakeItemNumber(kPartition, creation));
    return EncodeUniqueEntry(holders);
  };
  auto drops = [&](const std::string& value) { return filter_.unique_entries()->MayDrop(key, value); };
  auto drops_all = [&](const std::vector<std::string>& values) {
    std::unique_ptr<store::DropPredicate::Summary> table = filter_.unique_entries()->NewSummary();
    for (const std::string& value : values) table->Add(key, value);
    return filter_.unique_entries()->MayDropAll(table->Bytes());
  };
  filter_.Add({kContainer, kPartition}, {}, {});
  EXPECT_FALSE(drops(entry({1}))) << "nothing is marked";
  auto live = std::make_shared<LiveItems>();
  live->Add(3);
  live->KnowsAllUpTo(5);
  filter_.SetLiveItems({kContainer, kPartition}, live);
  EXPECT_TRUE(drops(entry({1})));
  EXPECT_TRUE(drops(entry({2, 1, 5})));
  EXPECT_FALSE(drops(entry({3})));
  EXPECT_FALSE(drops(entry({1, 3})));
  EXPECT_FALSE(drops(entry({1, 6}))) << "the mark does not know the last one";
  EXPECT_TRUE(drops_all({entry({1}), entry({2, 1})}));
  EXPECT_FALSE(drops_all({entry({1}), entry({2, 4})})) << "one between them lives";
  EXPECT_FALSE(drops_all({entry({1}), entry({2, 6})}));
  EXPECT_FALSE(drops(""));
  EXPECT_FALSE(drops(entry({})));
  EXPECT_FALSE(drops(entry({1}) + "x")) << "it cannot be read";
  EXPECT_FALSE(filter_.unique_entries()->MayDrop("k", entry({1})));
  EXPECT_FALSE(drops_all({entry({1}), "x"}));
  filter_.Forget(kContainer);
  EXPECT_TRUE(drops(entry({3}))) << "its container is gone";
}

}  // namespace
}  // namespace lapse::engine
