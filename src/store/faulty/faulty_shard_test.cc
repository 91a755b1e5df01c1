#include "store/faulty/faulty_shard.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lapse::store {
namespace {

constexpr FamilyId kItems = 0;
constexpr int kCalls = 1000;

std::unique_ptr<FaultyShard> NewShard(FaultyOptions options) {
  return std::make_unique<FaultyShard>(std::move(options), std::vector<FamilyOptions>{{"items", nullptr, true}});
}

Status Put(Shard* shard, const std::string& key, Durability durability) {
  Batch batch;
  batch.Put(kItems, key, key);
  return shard->Write(batch, durability);
}

bool Has(Shard* shard, const std::string& key) {
  PinnedValue value;
  return shard->Get(kItems, key, &value).ok();
}

size_t Count(Shard* shard) {
  size_t count = 0;
  auto walk = shard->NewIterator(kItems, {});
  for (walk->SeekToFirst(); walk->Valid(); walk->Next()) ++count;
  return count;
}

TEST(FaultyShardTest, AWriteThatFailsBeforeDidNotHappen) {
  auto shard = NewShard({.seed = 7, .fail_before_per_mille = 300});
  int failed = 0;
  for (int i = 0; i < kCalls; ++i) {
    const Status status = Put(shard.get(), std::to_string(i), Durability::kSync);
    if (!status.ok()) {
      ++failed;
      EXPECT_EQ(status.code(), Code::kUnavailable);
    }
    EXPECT_EQ(Has(shard.get(), std::to_string(i)), status.ok());
  }
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, kCalls);
}

TEST(FaultyShardTest, AWriteThatFailsAfterHappenedAndSaysItDoesNotKnow) {
  auto shard = NewShard({.fail_after_per_mille = 1000});
  EXPECT_EQ(Put(shard.get(), "a", Durability::kSync).code(), Code::kUnknownOutcome);
  EXPECT_TRUE(Has(shard.get(), "a"));
  std::set<size_t> survivors;
  for (uint64_t seed = 0; seed < 100; ++seed) survivors.insert(Count(shard->Crash(seed).get()));
  EXPECT_EQ(survivors, (std::set<size_t>{0, 1})) << "after a crash it may be there or not";
}

TEST(FaultyShardTest, ReadsFailAtTheirRate) {
  auto shard = NewShard({.read_fail_per_mille = 1000});
  ASSERT_TRUE(Put(shard.get(), "a", Durability::kSync).ok());
  PinnedValue value;
  EXPECT_EQ(shard->Get(kItems, "a", &value).code(), Code::kUnavailable);
  auto walk = shard->NewIterator(kItems, {});
  walk->SeekToFirst();
  EXPECT_FALSE(walk->Valid());
  EXPECT_EQ(walk->status().code(), Code::kUnavailable);
  shard->set_faults(false);
  EXPECT_TRUE(shard->Get(kItems, "a", &value).ok());
  EXPECT_EQ(value.view(), "a");
}

TEST(FaultyShardTest, OfManyKeysSomeFailAndTheOthersAreRead) {
  auto shard = NewShard({.seed = 3, .read_fail_per_mille = 300});
  const std::vector<std::string_view> keys(kCalls, "a");
  shard->set_faults(false);
  ASSERT_TRUE(Put(shard.get(), "a", Durability::kSync).ok());
  shard->set_faults(true);
  std::vector<PinnedValue> values;
  std::vector<Status> statuses;
  shard->MultiGet(kItems, keys, &values, &statuses, {});
  int failed = 0;
  for (int i = 0; i < kCalls; ++i) {
    EXPECT_EQ(values[i].view(), statuses[i].ok() ? "a" : "");
    if (statuses[i].ok()) continue;
    ++failed;
    EXPECT_EQ(statuses[i].code(), Code::kUnavailable);
  }
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, kCalls);
}

TEST(FaultyShardTest, ReadsOfMemoryAloneWouldBlockAtTheirRate) {
  auto shard = NewShard({.would_block_per_mille = 1000});
  ASSERT_TRUE(Put(shard.get(), "a", Durability::kSync).ok());
  const ReadOptions from_memory = {.reach = Reach::kMemory};
  PinnedValue value;
  EXPECT_EQ(shard->Get(kItems, "a", &value, from_memory).code(), Code::kWouldBlock);
  EXPECT_TRUE(shard->Get(kItems, "a", &value).ok()) << "with the disk it never does";
  std::vector<PinnedValue> values;
  std::vector<Status> statuses;
  const std::vector<std::string_view> keys = {"a"};
  shard->MultiGet(kItems, keys, &values, &statuses, from_memory);
  EXPECT_EQ(statuses[0].code(), Code::kWouldBlock);
  shard->set_faults(false);
  EXPECT_TRUE(shard->Get(kItems, "a", &value, from_memory).ok());
}

TEST(FaultyShardTest, TheSameSeedFailsInTheSamePlaces) {
  auto outcomes = [](uint64_t seed) {
    auto shard = NewShard({.seed = seed, .fail_before_per_mille = 200, .fail_after_per_mille = 200});
    std::string codes;
    for (int i = 0; i < 100; ++i) codes.append(CodeName(Put(shard.get(), "a", Durability::kSync).code()));
    return codes;
  };
  EXPECT_EQ(outcomes(1), outcomes(1));
  EXPECT_NE(outcomes(1), outcomes(2));
}

TEST(FaultyShardTest, ACrashKeepsWhatWasSyncedAndABeginningOfTheRest) {
  auto shard = NewShard({});
  ASSERT_TRUE(Put(shard.get(), "0", Durability::kRelaxed).ok());
  ASSERT_TRUE(Put(shard.get(), "1", Durability::kSync).ok());
  for (const char* key : {"2", "3", "4"}) ASSERT_TRUE(Put(shard.get(), key, Durability::kRelaxed).ok());
  std::set<size_t> sizes;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    auto survivor = shard->Crash(seed);
    const size_t size = Count(survivor.get());
    sizes.insert(size);
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(Has(survivor.get(), std::to_string(i)), i < size);
  }
  EXPECT_EQ(sizes, (std::set<size_t>{2, 3, 4, 5})) << "a sync covers the relaxed writes before it";
}

TEST(FaultyShardTest, WhatSurvivedACrashSurvivesTheNext) {
  auto shard = NewShard({});
  ASSERT_TRUE(Put(shard.get(), "a", Durability::kRelaxed).ok());
  for (uint64_t seed = 0; seed < 20; ++seed) {
    auto survivor = shard->Crash(seed);
    const bool had = Has(survivor.get(), "a");
    ASSERT_TRUE(Put(survivor.get(), "b", Durability::kSync).ok());
    auto second = survivor->Crash(seed + 1);
    EXPECT_EQ(Has(second.get(), "a"), had);
    EXPECT_TRUE(Has(second.get(), "b"));
  }
}

TEST(FaultyShardTest, EveryCallIsAnnounced) {
  std::string calls;
  auto shard = NewShard({.on_call = [&](std::string_view call) { calls.append(call).append(" "); }});
  ASSERT_TRUE(Put(shard.get(), "a", Durability::kSync).ok());
  EXPECT_TRUE(Has(shard.get(), "a"));
  shard->NewSnapshot();
  ASSERT_TRUE(shard->Compact(kItems, {}, {}).ok());
  EXPECT_EQ(calls, "Write Get NewSnapshot Compact ");
}

}  // namespace
}  // namespace lapse::store
