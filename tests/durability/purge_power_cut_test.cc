// What a compaction destroys must be known to be purged after any power cut: the filter goes by durable floors.
#include <gtest/gtest.h>

#include <future>
#include <set>
#include <string>
#include <utility>

#include "base/log.h"
#include "engine/catalog/counts/census.h"
#include "engine/records/ids/families.h"
#include "engine/shard/purge/engine_families.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "tests/durability/durable_store.h"
#include "tests/durability/log_replay.h"
#include "tests/durability/purger.h"

namespace lapse::durability {
namespace {

constexpr int kItems = 20;

class PurgePowerCutTest : public ::testing::TestWithParam<store::Durability> {
 protected:
  PurgePowerCutTest() {
    SetLogLevel(LogLevel::kOff);
    Open();
  }
  ~PurgePowerCutTest() override {
    store_.Close();
    SetLogLevel(LogLevel::kInfo);
  }

  void Open() {
    Status opened = store_.Open(GetParam());
    ASSERT_TRUE(opened.ok()) << opened.ToString();
  }

  void Create(const std::string& id) {
    engine::ContainerPtr container = store_.container();
    auto key = engine::PartitionKeyComponent::String("pk");
    engine::ItemWrite write;
    write.address = {engine::LogicalKeyOf(container->partition_key(), {&key, 1}), engine::StringItemId(id)};
    write.document = "document of " + id;
    std::promise<bool> done;
    container->Write(std::move(write), [&](const Result<engine::ItemWritten>& made) { done.set_value(made.ok()); });
    ASSERT_TRUE(done.get_future().get());
  }

  void CompactAll() {
    for (store::FamilyId family = engine::kHeadFamily; family < engine::EngineFamilies().size(); ++family) {
      ASSERT_TRUE(store_.engine().shards().front()->store()->Compact(family, {}, {}).ok());
    }
  }

  int Stored(store::FamilyId family) {
    int records = 0;
    auto walk = store_.engine().shards().front()->store()->NewIterator(family, {});
    for (walk->SeekToFirst(); walk->Valid(); walk->Next()) ++records;
    return records;
  }

  // Destroys the heads of all items, and those bodies that nothing keeps.
  void ExpireAndLosePower() {
    for (int i = 0; i < kItems; ++i) Create(std::to_string(i));
    store_.PassSeconds(kDefaultTtl_s);
    CompactAll();  // into tables, so that a later compaction need not flush and sync the log
    // The first write to a new log is always synced. This one makes sure that it is not the sweep.
    ASSERT_TRUE(store_.engine().catalog_store().CreateDatabase("another", 0, "").ok());
    ASSERT_TRUE(store_.engine().SweepTurn());
    CompactAll();
    ASSERT_EQ(Stored(engine::kHeadFamily), 0);
    bodies_left_ = Stored(engine::kBodyFamily);
    store_.disk().CutPowerAt(0);
    store_.LosePower(1, store::UnsyncedBytes::kLost);
    ASSERT_NO_FATAL_FAILURE(Open());
  }

  DurableStore store_;
  int bodies_left_ = 0;
};

TEST_P(PurgePowerCutTest, WhatWasDestroyedIsPurgedAndAccountedFor) {
  store_.MakeContainer(kDefaultTtl_s);
  ASSERT_NO_FATAL_FAILURE(ExpireAndLosePower());
  EXPECT_EQ(bodies_left_, 0);
  EXPECT_EQ(engine::Census(*store_.container()).PurgedSoFar()->total.items, kItems);
  EXPECT_TRUE(PurgeEverything(&store_.engine()));
}

TEST_P(PurgePowerCutTest, TheLogShowsWhatWasPurged) {
  store_.MakeContainer(kDefaultTtl_s, 1'000'000'000);
  ASSERT_NO_FATAL_FAILURE(ExpireAndLosePower());
  EXPECT_EQ(bodies_left_, kItems);
  EXPECT_EQ(engine::Census(*store_.container()).PurgedSoFar()->total.items, kItems);
  CompactAll();
  auto replayed = ReplayLog(*store_.container());
  ASSERT_TRUE(replayed.ok()) << replayed.status().ToString();
  EXPECT_TRUE(replayed->empty()) << "expiries are missing in the change log";
}

TEST_P(PurgePowerCutTest, AContainerOfWhichSomethingWasDestroyedStaysDropped) {
  store_.MakeContainer(kDefaultTtl_s);
  for (int i = 0; i < kItems; ++i) Create(std::to_string(i));
  CompactAll();
  ASSERT_TRUE(store_.engine().catalog_store().CreateDatabase("another", 0, "").ok());
  ASSERT_TRUE(store_.engine().catalog_store().DropContainer("db", "c", 0).ok());
  while (store_.engine().ReclaimTurn()) continue;
  ASSERT_EQ(Stored(engine::kBodyFamily), 0);
  store_.disk().CutPowerAt(0);
  store_.LosePower(1, store::UnsyncedBytes::kLost);

  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(store_.engine().catalog().FindContainer("db", "c").status().code(), Code::kNotFound);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, PurgePowerCutTest,
                         ::testing::Values(store::Durability::kSync, store::Durability::kRelaxed),
                         [](const auto& mode) { return mode.param == store::Durability::kSync ? "sync" : "relaxed"; });

}  // namespace
}  // namespace lapse::durability
