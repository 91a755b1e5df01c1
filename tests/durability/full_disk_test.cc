// A full disk: reads and expiry continue, and writes are refused until there is room again.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "engine/catalog/counts/census.h"
#include "engine/records/ids/families.h"
#include "tests/durability/durable_store.h"
#include "tests/durability/purger.h"
#include "tests/durability/workload.h"

namespace lapse::durability {
namespace {

using engine::ItemWrite;
using store::DiskError;
using store::Durability;
using store::UnsyncedBytes;

constexpr int64_t kRetryInterval_s = 1;  // how often a store that was full looks for room

class FullDiskTest : public ::testing::Test {
 protected:
  FullDiskTest() {
    SetLogLevel(LogLevel::kOff);
    Open();
    store_.MakeContainer(kDefaultTtl_s);
  }
  ~FullDiskTest() override {
    store_.Close();  // logs failures, too
    SetLogLevel(LogLevel::kInfo);
  }

  void Open() {
    Status opened = store_.Open(Durability::kSync);
    ASSERT_TRUE(opened.ok()) << opened.ToString();
  }
  // Loses what was not synced.
  void Reopen() {
    store_.LosePower(1, UnsyncedBytes::kLost);
    Open();
  }

  static engine::ItemAddress AddressOf(const engine::Container& container, std::string_view id) {
    auto key = engine::PartitionKeyComponent::String("pk");
    return {engine::LogicalKeyOf(container.partition_key(), {&key, 1}), engine::StringItemId(id)};
  }

  Code Write(ItemWrite::Kind kind, std::string_view id, std::optional<int32_t> own_ttl = std::nullopt) {
    engine::ContainerPtr container = store_.container();
    ItemWrite write;
    write.kind = kind;
    write.address = AddressOf(*container, id);
    if (kind != ItemWrite::Kind::kDelete) write.document = "document of " + std::string(id);
    write.own_ttl = own_ttl;
    std::promise<Code> outcome;
    container->Write(std::move(write),
                     [&](const Result<engine::ItemWritten>& done) { outcome.set_value(done.status().code()); });
    return outcome.get_future().get();
  }
  Code Create(std::string_view id, std::optional<int32_t> own_ttl = std::nullopt) {
    return Write(ItemWrite::Kind::kCreate, id, own_ttl);
  }

  Code Read(std::string_view id) {
    engine::ContainerPtr container = store_.container();
    auto item = container->Read(AddressOf(*container, id));
    if (item.ok()) {
      EXPECT_EQ(item->document, "document of " + std::string(id));
    }
    return item.status().code();
  }

  engine::Count Live() { return *engine::Census(*store_.container()).Live(); }
  engine::Count Expired() { return *engine::Census(*store_.container()).Expired(); }

  int StoredHeads() {
    int heads = 0;
    auto walk = store_.engine().shards().front()->store()->NewIterator(engine::kHeadFamily, {});
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) ++heads;
    return heads;
  }

  int FeedSize() {
    int items = 0;
    auto take = [&](const engine::Item&, engine::Place) {
      ++items;
      return true;
    };
    EXPECT_TRUE(store_.container()->ReadFeed({}, take).ok());
    return items;
  }

  void MakeRoom() {
    store_.disk().FailAll(DiskError::kNone);
    store_.PassSeconds(kRetryInterval_s);
  }

  DurableStore store_;
};

TEST_F(FullDiskTest, ReadsGoOnAndEveryChangeIsRefused) {
  ASSERT_EQ(Create("before"), Code::kOk);
  store_.disk().FailAll(DiskError::kNoSpace);

  EXPECT_EQ(Create("refused"), Code::kNoSpace);
  EXPECT_EQ(Write(ItemWrite::Kind::kUpsert, "before"), Code::kNoSpace);
  EXPECT_EQ(Write(ItemWrite::Kind::kReplace, "before"), Code::kNoSpace);
  EXPECT_EQ(Write(ItemWrite::Kind::kDelete, "before"), Code::kNoSpace);
  engine::CatalogStore& catalog = store_.engine().catalog_store();
  EXPECT_EQ(catalog.CreateDatabase("other", 0, "").status().code(), Code::kNoSpace);
  EXPECT_EQ(catalog.ReplaceContainer("db", "c", {-1, "", 0, {}}, 0).status().code(), Code::kNoSpace);
  EXPECT_EQ(catalog.DropDatabase("db").code(), Code::kNoSpace);

  EXPECT_EQ(Read("before"), Code::kOk);
  EXPECT_EQ(Read("refused"), Code::kNotFound);
  EXPECT_EQ(FeedSize(), 1);
  EXPECT_EQ(store_.engine().catalog().FindDatabase("other").status().code(), Code::kNotFound);
  EXPECT_EQ(store_.container()->state()->policy.default_ttl, kDefaultTtl_s);
}

TEST_F(FullDiskTest, ItemsGoOnExpiring) {
  ASSERT_EQ(Create("short"), Code::kOk);
  ASSERT_EQ(Create("long", 100), Code::kOk);
  store_.disk().FailAll(DiskError::kNoSpace);

  store_.PassSeconds(kDefaultTtl_s - 1);
  EXPECT_EQ(Read("short"), Code::kOk);
  store_.PassSeconds(1);
  EXPECT_EQ(Read("short"), Code::kNotFound);
  EXPECT_EQ(Read("long"), Code::kOk);
  EXPECT_EQ(FeedSize(), 1);

  MakeRoom();
  EXPECT_EQ(Create("short", 100), Code::kOk) << "the expired item is not in the way";
}

TEST_F(FullDiskTest, WritesWorkAgainWhenThereIsRoomAndNothingAcknowledgedIsLost) {
  ASSERT_EQ(Create("before", 1000), Code::kOk);
  store_.disk().FailAll(DiskError::kNoSpace);
  ASSERT_EQ(Create("refused", 1000), Code::kNoSpace);
  MakeRoom();
  ASSERT_EQ(Create("after", 1000), Code::kOk);

  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Read("before"), Code::kOk);
  EXPECT_EQ(Read("after"), Code::kOk);
  EXPECT_EQ(Read("refused"), Code::kNotFound);
  EXPECT_EQ(Create("refused", 1000), Code::kOk);
}

// The mark may use the reserve, so that a time that was shown is not shown again after a crash.
TEST_F(FullDiskTest, TheClocksMarkGoesOnOnTheReserve) {
  ASSERT_EQ(Create("short"), Code::kOk);
  store_.disk().SetFreeBytes(DurableStore::kDiskReserve_bytes - 1);
  EXPECT_EQ(store_.engine().Writable().code(), Code::kNoSpace);
  EXPECT_EQ(Create("refused"), Code::kNoSpace);
  store_.PassSeconds(kDefaultTtl_s);
  EXPECT_EQ(Read("short"), Code::kNotFound);
  EXPECT_EQ(store_.engine().clock().mark_failures(), 0);
  const int64_t shown_ms = store_.engine().clock().NowMs();

  store_.SetCalendarBack(2 * kDefaultTtl_s * 1000);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_GE(store_.engine().clock().NowMs(), shown_ms);
  EXPECT_EQ(Read("short"), Code::kNotFound);

  store_.disk().SetFreeBytes(std::nullopt);
  EXPECT_TRUE(store_.engine().Writable().ok());
  EXPECT_EQ(Create("after"), Code::kOk);
}

TEST_F(FullDiskTest, WithoutAnyRoomTheMarkFailsAndTimeGoesOn) {
  ASSERT_EQ(Create("short"), Code::kOk);
  store_.disk().SetFreeBytes(0);
  store_.PassSeconds(kDefaultTtl_s);
  EXPECT_EQ(Read("short"), Code::kNotFound);
  EXPECT_GT(store_.engine().clock().mark_failures(), 0);
  store_.disk().SetFreeBytes(std::nullopt);
  store_.PassSeconds(kRetryInterval_s);
  EXPECT_EQ(Create("after"), Code::kOk) << "the mark was refused, not tried: nothing failed in the middle";
}

// Purging makes room, so it may use the reserve.
TEST_F(FullDiskTest, WhatHasExpiredIsSweptAndReclaimedOnTheReserve) {
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Create("short" + std::to_string(i)), Code::kOk);
  ASSERT_EQ(Create("long", 1000), Code::kOk);
  store_.PassSeconds(kDefaultTtl_s);
  store_.disk().SetFreeBytes(DurableStore::kDiskReserve_bytes - 1);
  ASSERT_EQ(Create("refused"), Code::kNoSpace);
  ASSERT_EQ(Expired().items, 100);

  EXPECT_TRUE(PurgeEverything(&store_.engine()));
  EXPECT_EQ(Expired().items, 0);
  EXPECT_EQ(StoredHeads(), 1);
  EXPECT_EQ(Read("long"), Code::kOk);

  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Live().items, 1);
  EXPECT_EQ(Expired().items, 0);
  EXPECT_EQ(Read("short0"), Code::kNotFound);
}

// A sweep into a change log writes no more than any other sweep, since the bodies stay in place.
TEST_F(FullDiskTest, ASweepIntoAChangeLogIsMadeOnTheReserve) {
  ASSERT_TRUE(store_.engine().catalog_store().ReplaceContainer("db", "c", {kDefaultTtl_s, "", 3600, {}}, 0).ok());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Create("short" + std::to_string(i)), Code::kOk);
  store_.PassSeconds(kDefaultTtl_s);
  store_.disk().SetFreeBytes(DurableStore::kDiskReserve_bytes / 16);
  EXPECT_TRUE(PurgeEverything(&store_.engine()));
  EXPECT_EQ(Expired().items, 0);
  store_.disk().SetFreeBytes(std::nullopt);
  EXPECT_EQ(Create("after"), Code::kOk);
}

// Dropping a container may use the reserve, too.
TEST_F(FullDiskTest, AContainerCanBeDroppedOnTheReserve) {
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Create(std::to_string(i), 1000), Code::kOk);
  store_.disk().SetFreeBytes(DurableStore::kDiskReserve_bytes - 1);
  ASSERT_EQ(Create("refused"), Code::kNoSpace);
  EXPECT_EQ(store_.engine().catalog_store().DropContainer("db", "c", 0).code(), Code::kOk);
  EXPECT_TRUE(PurgeEverything(&store_.engine()));
  EXPECT_EQ(StoredHeads(), 0);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(store_.engine().catalog().FindContainer("db", "c").status().code(), Code::kNotFound);
}

TEST_F(FullDiskTest, ASweepThatFindsNoRoomCountsAfterwards) {
  for (int i = 0; i < 10; ++i) ASSERT_EQ(Create("short" + std::to_string(i)), Code::kOk);
  ASSERT_EQ(Create("long", 1000), Code::kOk);
  store_.PassSeconds(kDefaultTtl_s);
  store_.disk().FailAll(DiskError::kNoSpace);
  EXPECT_FALSE(PurgeEverything(&store_.engine()));
  EXPECT_EQ(Read("short0"), Code::kNotFound);
  EXPECT_EQ(Live().items, 1);
  EXPECT_EQ(Expired().items, 10);

  store_.LosePower(1, UnsyncedBytes::kPrefix);
  store_.disk().FailAll(DiskError::kNone);
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Live().items, 1);
  EXPECT_TRUE(PurgeEverything(&store_.engine()));
  EXPECT_EQ(Expired().items, 0);
  EXPECT_EQ(engine::Census(*store_.container()).PurgedSoFar()->total.items, 10);
  EXPECT_EQ(Create("short0", 1000), Code::kOk);
  EXPECT_EQ(Live().items, 2);
}

// The bytes are in the log, and may survive a crash.
TEST_F(FullDiskTest, ASyncThatFindsNoRoomLeavesTheOutcomeUnknown) {
  ASSERT_EQ(Create("before", 1000), Code::kOk);
  store_.disk().FailSync(1, DiskError::kNoSpace);
  EXPECT_EQ(Create("unsure", 1000), Code::kUnknownOutcome);
  EXPECT_EQ(Create("refused", 1000), Code::kUnavailable);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Read("before"), Code::kOk);
  EXPECT_EQ(Read("refused"), Code::kNotFound);
}

TEST_F(FullDiskTest, APowerCutOnAFullDiskLosesNothing) {
  ASSERT_EQ(Create("before", 1000), Code::kOk);
  store_.disk().FailAll(DiskError::kNoSpace);
  ASSERT_EQ(Create("refused", 1000), Code::kNoSpace);
  store_.LosePower(1, UnsyncedBytes::kPrefix);
  store_.disk().FailAll(DiskError::kNone);
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(Read("before"), Code::kOk);
  EXPECT_EQ(Read("refused"), Code::kNotFound);
}

// The disk fills up and gets room again while several threads write.
class FullDiskUnderLoadTest : public ::testing::Test {
 protected:
  static constexpr int64_t kSteps = 40;
  static constexpr int64_t kStepsMax = 100'000;

  FullDiskUnderLoadTest() { SetLogLevel(LogLevel::kOff); }
  ~FullDiskUnderLoadTest() override {
    store_.Close();
    SetLogLevel(LogLevel::kInfo);
  }

  // Returns whether writes work.
  bool WriteSome() {
    const int64_t enough = workload_.acknowledged() + kSteps;
    std::atomic<int64_t> steps = 0;
    workload_.RunUntil([&] { return workload_.acknowledged() >= enough || ++steps > kStepsMax; });
    return workload_.acknowledged() >= enough;
  }

  void BeFullForAWhile() {
    store_.disk().FailAll(DiskError::kNoSpace);
    std::atomic<int64_t> steps = 0;
    workload_.RunUntil([&] { return ++steps > kSteps; });
    store_.disk().FailAll(DiskError::kNone);
  }

  DurableStore store_;
  Workload workload_{1, &store_};
};

TEST_F(FullDiskUnderLoadTest, NothingAcknowledgedIsLostAndNothingRefusedIsThere) {
  ASSERT_TRUE(store_.Open(Durability::kSync).ok());
  ASSERT_TRUE(workload_.Prepare().ok());
  for (uint64_t fill = 0; fill < 6 && !HasFailure(); ++fill) {
    SCOPED_TRACE("fill " + std::to_string(fill));
    EXPECT_TRUE(WriteSome());
    BeFullForAWhile();
    // If a log or the list of tables found no room, writes stay refused until the next start.
    WriteSome();
    store_.LosePower(fill, UnsyncedBytes::kLost);
    ASSERT_TRUE(store_.Open(Durability::kSync).ok());
    workload_.Inspect();
    for (const Finding& finding : workload_.findings()) ADD_FAILURE() << finding.what;
  }
  EXPECT_GT(workload_.items_found(), 0);
}

}  // namespace
}  // namespace lapse::durability
