// Tests a shard on a disk that is full or fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/temporary_directory.h"
#include "store/rocks/faults/fault_file_system.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::store {
namespace {

using ::testing::HasSubstr;

constexpr FamilyId kItems = 0;
constexpr uint64_t kReserve_bytes = 16 << 20;
constexpr uint64_t kReserveFloor_bytes = 1 << 20;

class RocksDiskErrorTest : public ::testing::Test {
 protected:
  RocksDiskErrorTest() {
    SetLogLevel(LogLevel::kOff);
    Open();
  }

  void Open() {
    shard_ = nullptr;
    RocksOptions options;
    options.path = (directory_.path() / "shard").string();
    options.file_system = files_;
    options.removal = {.allowance = {}, .piece_bytes = 4096, .small_bytes = 4096};
    options.write_buffer_bytes = 2 << 20;
    options.free_bytes_min = kReserve_bytes;
    auto shard = OpenRocksShard(options, {{"items", nullptr, true}, {"other", nullptr, true}});
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    shard_ = *std::move(shard);
  }

  // Reopens what a machine crash leaves.
  void CrashAndOpen() {
    files_->CutPowerAt(0);
    files_->FailAppend(0, DiskError::kNone);
    files_->FailSync(0, DiskError::kNone);
    shard_ = nullptr;
    files_->DropUnsynced(1, UnsyncedBytes::kPrefix);
    Open();
  }

  Code Put(const std::string& key, const std::string& value = "value", Room room = Room::kOrdinary) {
    Batch batch;
    batch.Put(kItems, key, value);
    return shard_->Write(batch, Durability::kSync, room).code();
  }

  Code Get(const std::string& key) {
    PinnedValue value;
    return shard_->Get(kItems, key, &value).code();
  }

  TemporaryDirectory directory_;
  const std::shared_ptr<FaultFileSystem> files_ = FaultFileSystem::New();
  std::unique_ptr<Shard> shard_;
};

TEST_F(RocksDiskErrorTest, ASyncedWriteSyncsAndARelaxedOneDoesNot) {
  ASSERT_EQ(Put("a"), Code::kOk);
  const uint64_t before = files_->syncs();
  ASSERT_EQ(Put("b"), Code::kOk);
  EXPECT_EQ(files_->syncs(), before + 1);
  Batch batch;
  batch.Put(kItems, "c", "value");
  ASSERT_TRUE(shard_->Write(batch, Durability::kRelaxed).ok());
  EXPECT_EQ(files_->syncs(), before + 1);
}

TEST_F(RocksDiskErrorTest, AReadOfMemoryAloneNeverReadsATable) {
  ASSERT_EQ(Put("a"), Code::kOk);
  ASSERT_EQ(Put("b"), Code::kOk);
  ASSERT_TRUE(shard_->Flush().ok());
  Open();
  const ReadOptions from_memory = {.reach = Reach::kMemory};
  const std::vector<std::string_view> keys = {"a", "b"};
  std::vector<PinnedValue> values;
  std::vector<Status> statuses;
  PinnedValue value;

  const uint64_t before = files_->reads();
  EXPECT_EQ(shard_->Get(kItems, "a", &value, from_memory).code(), Code::kWouldBlock);
  shard_->MultiGet(kItems, keys, &values, &statuses, from_memory);
  EXPECT_EQ(statuses[0].code(), Code::kWouldBlock);
  EXPECT_EQ(statuses[1].code(), Code::kWouldBlock);
  EXPECT_EQ(files_->reads(), before);

  ASSERT_EQ(Get("a"), Code::kOk);
  EXPECT_GT(files_->reads(), before);
  const uint64_t warm = files_->reads();
  EXPECT_TRUE(shard_->Get(kItems, "a", &value, from_memory).ok());
  EXPECT_EQ(value.view(), "value");
  shard_->MultiGet(kItems, keys, &values, &statuses, from_memory);
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_TRUE(statuses[1].ok()) << "in the same block";
  EXPECT_EQ(files_->reads(), warm);
}

TEST_F(RocksDiskErrorTest, AReadOfADiskThatFailsSaysSoAndTheNextWorks) {
  ASSERT_EQ(Put("a"), Code::kOk);
  ASSERT_TRUE(shard_->Flush().ok());
  Open();
  ASSERT_EQ(Put("b"), Code::kOk);
  const std::vector<std::string_view> keys = {"a", "b"};
  std::vector<PinnedValue> values;
  std::vector<Status> statuses;

  files_->FailReads(DiskError::kInputOutput);
  EXPECT_EQ(Get("a"), Code::kUnavailable);
  EXPECT_EQ(Get("b"), Code::kOk) << "still in memory";
  shard_->MultiGet(kItems, keys, &values, &statuses, {});
  EXPECT_EQ(statuses[0].code(), Code::kUnavailable);
  EXPECT_TRUE(statuses[1].ok()) << "one that fails takes no other with it";

  files_->FailReads(DiskError::kNone);
  shard_->MultiGet(kItems, keys, &values, &statuses, {});
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_EQ(values[0].view(), "value");
}

TEST_F(RocksDiskErrorTest, AFullDiskRefusesWritesAndServesReadsUntilThereIsRoom) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailAll(DiskError::kNoSpace);
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  EXPECT_EQ(shard_->Compact(kItems, {}, {}).code(), Code::kNoSpace);
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("full"), Code::kNotFound);

  files_->FailAll(DiskError::kNone);
  EXPECT_EQ(Put("after"), Code::kOk);
  EXPECT_TRUE(shard_->Compact(kItems, {}, {}).ok());

  CrashAndOpen();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("full"), Code::kNotFound);
  EXPECT_EQ(Get("after"), Code::kOk);
}

TEST_F(RocksDiskErrorTest, TheReserveIsForThoseWhoMayUseItAndNotToItsEnd) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->SetFreeBytes(kReserve_bytes - 1);
  EXPECT_EQ(Put("ordinary"), Code::kNoSpace);
  EXPECT_EQ(Put("reserve", "value", Room::kReserve), Code::kOk);
  EXPECT_TRUE(shard_->Compact(kItems, {}, {}).ok()) << "it frees space";

  files_->SetFreeBytes(kReserveFloor_bytes);
  EXPECT_EQ(Put("floor", "value", Room::kReserve), Code::kOk);
  files_->SetFreeBytes(kReserveFloor_bytes - 1);
  EXPECT_EQ(Put("below", "value", Room::kReserve), Code::kNoSpace);
  EXPECT_EQ(shard_->Compact(kItems, {}, {}).code(), Code::kNoSpace);
  EXPECT_EQ(Get("before"), Code::kOk);

  files_->SetFreeBytes(kReserve_bytes);
  EXPECT_EQ(Put("after"), Code::kOk);
  CrashAndOpen();
  for (const char* key : {"before", "reserve", "floor", "after"}) EXPECT_EQ(Get(key), Code::kOk) << key;
  for (const char* key : {"ordinary", "below"}) EXPECT_EQ(Get(key), Code::kNotFound) << key;
}

TEST_F(RocksDiskErrorTest, WritableSaysWhetherAnOrdinaryWriteWouldBeTaken) {
  EXPECT_TRUE(shard_->Writable().ok());
  files_->SetFreeBytes(kReserve_bytes - 1);
  EXPECT_EQ(shard_->Writable().code(), Code::kNoSpace);
  files_->SetFreeBytes(kReserve_bytes);
  EXPECT_TRUE(shard_->Writable().ok());
  files_->FailSync(1, DiskError::kInputOutput);
  ASSERT_EQ(Put("unknown"), Code::kUnknownOutcome);
  EXPECT_EQ(shard_->Writable().code(), Code::kUnavailable);
}

// The contents of the log are unknown, and an inventory would vouch for them.
TEST_F(RocksDiskErrorTest, AShardThatStoppedWritingLeavesNoInventory) {
  const auto inventory = directory_.path() / "shard" / "INVENTORY";
  ASSERT_EQ(Put("before"), Code::kOk);
  shard_ = nullptr;
  EXPECT_TRUE(std::filesystem::exists(inventory));
  Open();
  files_->FailAppend(1, DiskError::kNoSpace);
  ASSERT_EQ(Put("torn", std::string(1000, 'x')), Code::kUnknownOutcome);
  shard_ = nullptr;
  EXPECT_FALSE(std::filesystem::exists(inventory));
  Open();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("torn"), Code::kNotFound);
}

TEST_F(RocksDiskErrorTest, AnInventoryThatFoundNoRoomIsLeftOut) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailAll(DiskError::kNoSpace);
  shard_ = nullptr;
  files_->FailAll(DiskError::kNone);
  Open();
  EXPECT_EQ(Get("before"), Code::kOk);
}

// Skips the check of the free space, as if another process had just filled the disk.
TEST_F(RocksDiskErrorTest, AFlushOrCompactionThatFoundNoRoomLosesNothing) {
  int refused = 0;
  for (int n = 1; n <= 8; ++n) {
    const std::string before = "before" + std::to_string(n), after = "after" + std::to_string(n);
    ASSERT_EQ(Put(before), Code::kOk);
    files_->FailAppend(n, DiskError::kNoSpace);
    const Code compacted = shard_->Compact(kItems, {}, {}).code();
    ASSERT_TRUE(compacted == Code::kOk || compacted == Code::kNoSpace);
    files_->FailAppend(0, DiskError::kNone);
    EXPECT_EQ(Get(before), Code::kOk);
    const Code put = Put(after);
    ASSERT_TRUE(put == Code::kOk || put == Code::kUnavailable) << "room alone does not help";
    refused += put == Code::kUnavailable;
    CrashAndOpen();
    EXPECT_EQ(Get(before), Code::kOk);
    EXPECT_EQ(Get(after) == Code::kOk, put == Code::kOk);
  }
  EXPECT_GT(refused, 0) << "after a flush that failed; a compaction is tried again";
}

class RocksFailedWriteTest : public RocksDiskErrorTest, public ::testing::WithParamInterface<DiskError> {
 protected:
  // Call after the failed write.
  void ExpectStoppedUntilReopened() {
    EXPECT_EQ(Put("refused"), Code::kUnavailable) << "not for want of room, whatever failed";
    EXPECT_EQ(shard_->Compact(kItems, {}, {}).code(), Code::kUnavailable);
    EXPECT_THAT(shard_->Writable().message(), HasSubstr("until it is opened again"));
    EXPECT_EQ(Get("before"), Code::kOk);
    EXPECT_EQ(Get("unknown"), Code::kNotFound);

    CrashAndOpen();
    EXPECT_EQ(Get("before"), Code::kOk);
    EXPECT_EQ(Get("unknown"), Code::kNotFound) << "what was read as not there does not come up later";
    EXPECT_EQ(Get("refused"), Code::kNotFound);
    EXPECT_EQ(Put("after"), Code::kOk);
    Open();
    EXPECT_EQ(Get("before"), Code::kOk);
    EXPECT_EQ(Get("after"), Code::kOk);
  }
};

TEST_P(RocksFailedWriteTest, AFailedSyncLeavesTheOutcomeUnknownAndStopsWrites) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailSync(1, GetParam());
  EXPECT_EQ(Put("unknown"), Code::kUnknownOutcome);
  ExpectStoppedUntilReopened();
}

TEST_P(RocksFailedWriteTest, AFailedAppendLeavesTheOutcomeUnknownAndStopsWrites) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailAppend(1, GetParam());
  EXPECT_EQ(Put("unknown"), Code::kUnknownOutcome);
  ExpectStoppedUntilReopened();
}

// A restart without a crash finds in the log what the failed write left there.
TEST_P(RocksFailedWriteTest, WhatWasReadAsNotThereDoesNotComeUpAtTheNextStart) {
  ASSERT_EQ(Put("before", std::string(40'000, 'x')), Code::kOk);
  files_->FailSync(1, GetParam());
  EXPECT_EQ(Put("unknown", std::string(100'000, 'x')), Code::kUnknownOutcome);
  EXPECT_EQ(Get("unknown"), Code::kNotFound);
  Open();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("unknown"), Code::kNotFound);
  EXPECT_EQ(Put("after"), Code::kOk);
  Open();
  EXPECT_EQ(Get("unknown"), Code::kNotFound);
  EXPECT_EQ(Get("after"), Code::kOk);
}

TEST_P(RocksFailedWriteTest, NorWhenTheDiskTakesNothingMore) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailAll(GetParam());
  EXPECT_NE(Put("unknown"), Code::kOk);
  EXPECT_EQ(Get("unknown"), Code::kNotFound);
  shard_ = nullptr;
  files_->FailAll(DiskError::kNone);
  Open();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("unknown"), Code::kNotFound);
}

INSTANTIATE_TEST_SUITE_P(Errors, RocksFailedWriteTest, ::testing::Values(DiskError::kNoSpace, DiskError::kInputOutput),
                         [](const auto& error) {
                           return error.param == DiskError::kNoSpace ? "NoSpace" : "InputOutput";
                         });

// Reads always agree with earlier answers, whatever fails and when.
TEST_F(RocksDiskErrorTest, AnswersHoldUnderRandomFailures) {
  std::mt19937_64 random(1);
  std::map<std::string, bool> certain;  // by key: present or not, according to a certain answer
  for (int round = 0; round < 60; ++round) {
    const DiskError error = random() % 4 == 0 ? DiskError::kInputOutput : DiskError::kNoSpace;
    if (random() % 2 == 0) files_->FailAppend(1 + random() % 15, error);
    if (random() % 2 == 0) files_->FailSync(1 + random() % 15, error);
    for (int i = 0; i < 10; ++i) {
      const std::string key = std::to_string(round) + "/" + std::to_string(i);
      const Code code = Put(key, std::string(random() % 1000, 'x'));
      if (code != Code::kUnknownOutcome) certain[key] = code == Code::kOk;
      if (code != Code::kOk && random() % 2 == 0) CrashAndOpen();
      if (random() % 20 == 0) (void)shard_->Compact(kItems, {}, {}).ok();
    }
    for (const auto& [key, there] : certain) ASSERT_EQ(Get(key) == Code::kOk, there) << key;
    if (round % 3 == 0) CrashAndOpen();
    for (const auto& [key, there] : certain) ASSERT_EQ(Get(key) == Code::kOk, there) << key;
  }
}

}  // namespace
}  // namespace lapse::store
