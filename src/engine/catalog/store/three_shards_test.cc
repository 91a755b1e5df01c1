// An engine on three stores: where partitions are placed, and what a policy change leaves if stores fail one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "base/fail_point.h"
#include "engine/catalog/counts/census.h"
#include "engine/catalog/store/policy_change.h"
#include "engine/check/store_check.h"
#include "engine/engine.h"
#include "engine/records/ids/families.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/purge/purge_filter.h"
#include "store/mem/mem_shard.h"

namespace lapse::engine {
namespace {

using testing::UnorderedElementsAre;

class ThreeShardsTest : public ::testing::Test {
 protected:
  static constexpr int kItems = 60;
  static constexpr int kThroughput = 18'000;  // three partitions

  ThreeShardsTest() {
    for (size_t i = 0; i < stores_.size(); ++i) stores_[i] = store::NewMemShard(EngineFamilies(&filters_[i]));
    Restart();
    EXPECT_TRUE(engine_->catalog_store().CreateDatabase("db", 0, "").ok());
  }

  void Restart() {
    engine_.reset();
    EngineOptions options;
    options.background_clock = false;
    options.background_sweeper = false;
    options.wall = &wall_;
    options.steady = &steady_;
    options.rate_limiting = RateLimiting::kOff;
    std::vector<StoreOfShard> stores;
    for (size_t i = 0; i < stores_.size(); ++i) stores.push_back({stores_[i].get(), &filters_[i]});
    auto opened = Engine::Open(options, stores, &executor_);
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    engine_ = *std::move(opened);
  }

  void MakeContainer(std::optional<int32_t> default_ttl, int64_t change_log_retention_s = 0) {
    ContainerDefinition definition;
    definition.name = "c";
    definition.partition_key.paths = {doc::Path({"pk"})};
    definition.default_ttl = default_ttl;
    definition.throughput = kThroughput;
    definition.change_log_retention_s = change_log_retention_s;
    const auto made = engine_->catalog_store().CreateContainer("db", definition);
    ASSERT_TRUE(made.ok()) << made.status().ToString();
  }
  ContainerPtr Find() { return *engine_->catalog().FindContainer("db", "c"); }

  Status SetDefaultTtl(std::optional<int32_t> default_ttl) {
    const int64_t retention_s = Find()->state()->definition.change_log_retention_s;
    return engine_->catalog_store().ReplaceContainer("db", "c", {default_ttl, "", retention_s, {}}, 0).status();
  }

  ItemAddress Address(int i) {
    PartitionKeyComponent component = PartitionKeyComponent::String("pk" + std::to_string(i));
    return {LogicalKeyOf(Find()->partition_key(), {&component, 1}), StringItemId("id")};
  }
  Partition& PartitionOfItem(int i) { return Find()->PartitionFor(Address(i).key.epk); }

  Status Create(int i) {
    ItemWrite write;
    write.kind = WriteKind::kCreate;
    write.address = Address(i);
    write.document = std::string("\x05\0\0\0\0", 5);  // {}
    Status outcome(Code::kInternal, "not called");
    Find()->Write(std::move(write), [&](const Result<ItemWritten>& done) { outcome = done.status(); });
    return outcome;
  }
  void CreateAll() {
    for (int i = 0; i < kItems; ++i) ASSERT_TRUE(Create(i).ok()) << i;
  }
  Code Read(int i) { return Find()->Read(Address(i)).status().code(); }

  // Returns the shards that hold any record of the family.
  std::vector<ShardNumber> ShardsWith(store::FamilyId family) {
    std::vector<ShardNumber> shards;
    for (ShardNumber i = 0; i < stores_.size(); ++i) {
      const auto records = stores_[i]->NewIterator(family, {});
      records->SeekToFirst();
      if (records->Valid()) shards.push_back(i);
    }
    return shards;
  }

  void PassSeconds(int64_t seconds) {
    wall_.Advance(seconds * 1000);
    steady_.AdvanceMs(seconds * 1000);
  }

  void ExpectSound() {
    std::vector<store::Shard*> stores;
    for (const auto& store : stores_) stores.push_back(store.get());
    const Result<StoreReport> report = CheckStore(stores, nullptr);
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    EXPECT_EQ(report->findings.count(), 0) << report->findings.told().front();
  }

  ManualWallClock wall_{1'750'000'000'000};
  ManualSteadyClock steady_;
  InlineExecutor executor_;
  std::array<PurgeFilter, 3> filters_;
  std::array<std::unique_ptr<store::Shard>, 3> stores_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(ThreeShardsTest, PartitionsOfAContainerLieInDifferentShards) {
  MakeContainer(std::nullopt);
  CreateAll();
  EXPECT_THAT(ShardsWith(kBodyFamily), UnorderedElementsAre(0, 1, 2));
  Restart();
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(Read(i), Code::kOk) << i;
  EXPECT_EQ(Census(*Find()).Live()->items, kItems);
  int shown = 0;
  const auto page = Find()->ReadFeed({.scope = {}, .after = {}, .items_max = 1000}, [&](const Item&, Place) {
    ++shown;
    return true;
  });
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(shown, kItems);
  ExpectSound();
}

TEST_F(ThreeShardsTest, ADropLeavesNothingInAnyOfThem) {
  MakeContainer(10);
  CreateAll();
  ASSERT_TRUE(engine_->catalog_store().DropContainer("db", "c", 0).ok());
  for (const store::FamilyId family : {kHeadFamily, kRecordFamily, kBodyFamily, kMemberFamily, kCohortFamily}) {
    EXPECT_TRUE(ShardsWith(family).empty()) << family;
  }
  MakeContainer(10);
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(Read(i), Code::kNotFound) << i;
  ExpectSound();
}

TEST_F(ThreeShardsTest, WhatExpiresIsSweptInEachOfThem) {
  MakeContainer(10);
  CreateAll();
  PassSeconds(10);
  EXPECT_EQ(Census(*Find()).Expired()->items, kItems);
  while (engine_->SweepTurn()) continue;
  EXPECT_EQ(Census(*Find()).Expired()->items, 0);
  EXPECT_EQ(Census(*Find()).PurgedSoFar()->total.items, kItems);
  ExpectSound();
}

// The catalog has the new policy, and some of the other stores fail to write their partitions' records.
class InterruptedPolicyTest : public ThreeShardsTest, public ::testing::WithParamInterface<int> {
 protected:
  // Lets only as many writes to the two other stores succeed as the parameter says.
  void ChangeInterrupted(std::optional<int32_t> default_ttl) {
    int writes = 0;
    const ScopedFailPoint fails("policy.partition_write", FailPoint::kAlways, [&] {
      return ++writes > GetParam() ? Status(Code::kUnavailable, "the store is gone") : Status::Ok();
    });
    ASSERT_TRUE(SetDefaultTtl(default_ttl).ok());
  }
  size_t Behind() {
    size_t behind = 0;
    for (const auto& partition : Find()->partitions()) behind += partition->floors()->behind() ? 1 : 0;
    return behind;
  }
  void ExpectComplete() {
    for (const auto& partition : Find()->partitions()) {
      EXPECT_EQ(LoadPolicy(partition->store(), partition->id())->revision, Find()->state()->policy_revision);
      EXPECT_FALSE(partition->floors()->behind());
    }
    ExpectSound();
  }
};

TEST_P(InterruptedPolicyTest, RevivesNothingAndIsCompleteAfterTheNextStart) {
  MakeContainer(10);
  CreateAll();
  PassSeconds(10);
  ChangeInterrupted(1000);
  EXPECT_EQ(Behind(), 2U - static_cast<size_t>(GetParam()));
  for (int i = 0; i < kItems; ++i) {
    EXPECT_EQ(Read(i), PartitionOfItem(i).floors()->behind() ? Code::kUnavailable : Code::kNotFound) << i;
  }
  ExpectSound();
  Restart();
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(Read(i), Code::kNotFound) << i;
  EXPECT_EQ(Census(*Find()).Expired()->items, kItems);
  ExpectComplete();
}

TEST_P(InterruptedPolicyTest, PassesSeveralRevisionsThatWereMissed) {
  MakeContainer(10);
  CreateAll();
  PassSeconds(5);
  ChangeInterrupted(5);     // everything expires
  ChangeInterrupted(-1);    // nothing may reappear
  ChangeInterrupted(2000);  // nor here
  PassSeconds(1);
  Restart();
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(Read(i), Code::kNotFound) << i;
  ExpectComplete();
  ASSERT_TRUE(Create(0).ok());
  PassSeconds(1999);
  EXPECT_EQ(Read(0), Code::kOk);
  PassSeconds(1);
  EXPECT_EQ(Read(0), Code::kNotFound);
}

TEST_P(InterruptedPolicyTest, ThePartitionsThatAreNotBehindGoOn) {
  MakeContainer(10);
  CreateAll();
  PassSeconds(10);
  ChangeInterrupted(1000);
  const ScopedFailPoint stays("policy.partition_write", FailPoint::kAlways,
                              [] { return Status(Code::kUnavailable, "the store is gone"); });
  while (engine_->SweepTurn()) continue;
  for (int i = 0; i < kItems; ++i) {
    const bool behind = PartitionOfItem(i).floors()->behind();
    EXPECT_EQ(Create(i).code(), behind ? Code::kUnavailable : Code::kOk) << i;
    EXPECT_EQ(PartitionOfItem(i).tally().purged.total.items > 0, !behind) << "what is behind is not swept";
  }
}

TEST_P(InterruptedPolicyTest, CatchesUpWithoutAStart) {
  MakeContainer(10);
  CreateAll();
  PassSeconds(10);
  ChangeInterrupted(1000);
  ASSERT_TRUE(engine_->catalog_store().Settle().ok());
  EXPECT_EQ(Behind(), 0U);
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(Read(i), Code::kNotFound) << i;
  for (int i = 0; i < kItems; ++i) EXPECT_TRUE(Create(i).ok()) << i;
  ExpectComplete();
}

TEST_P(InterruptedPolicyTest, AChangeLogBeginsWhereThePolicySays) {
  MakeContainer(std::nullopt);
  CreateAll();
  int writes = 0;
  {
    const ScopedFailPoint fails("policy.partition_write", FailPoint::kAlways, [&] {
      return ++writes > GetParam() ? Status(Code::kUnavailable, "the store is gone") : Status::Ok();
    });
    ASSERT_TRUE(engine_->catalog_store().ReplaceContainer("db", "c", {std::nullopt, "", 3600, {}}, 0).ok());
  }
  Restart();
  ExpectComplete();
  for (const auto& partition : Find()->partitions()) {
    EXPECT_EQ(partition->floors()->policy.log_since, partition->last_sequence());
  }
}

INSTANTIATE_TEST_SUITE_P(WritesThatCameToPass, InterruptedPolicyTest, ::testing::Values(0, 1, 2));

TEST_F(ThreeShardsTest, AChangeThatTheCatalogRefusesChangesNothing) {
  MakeContainer(10);
  CreateAll();
  PassSeconds(10);
  {
    const ScopedFailPoint fails("policy.partition_write", FailPoint::kAlways,
                                [] { return Status(Code::kUnavailable, "the store is gone"); });
    EXPECT_EQ(engine_->catalog_store().ReplaceContainer("db", "c", {1000, "", 0, {}}, 99).status().code(),
              Code::kPreconditionFailed);
  }
  EXPECT_EQ(Find()->state()->policy_revision, 1U);
  for (int i = 0; i < kItems; ++i) EXPECT_EQ(Read(i), Code::kNotFound) << i;
}

TEST_F(ThreeShardsTest, WhatACreationLeftHalfDoneIsGoneAfterTheNextStart) {
  MakeContainer(10);
  CreateAll();
  // The state after a crash that follows the catalog's write of a drop.
  {
    store::Batch batch;
    batch.Delete(kMetaFamily, std::string("\x04", 1) + std::string("\0\0\0\1", 4));
    ASSERT_TRUE(stores_[0]->Write(batch, store::Durability::kSync).ok());
  }
  Restart();
  for (const store::FamilyId family : {kHeadFamily, kRecordFamily, kBodyFamily, kCohortFamily}) {
    EXPECT_TRUE(ShardsWith(family).empty()) << family;
  }
  ExpectSound();
}

}  // namespace
}  // namespace lapse::engine
