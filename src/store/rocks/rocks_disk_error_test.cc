// A disk that is full, or fails, under a shard.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "store/rocks/fault_file_system.h"
#include "store/rocks/rocks_shard.h"
#include "store/temporary_directory.h"

namespace lapse::store {
namespace {

constexpr FamilyId kItems = 0;

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
    options.clock = &clock_;
    options.write_buffer_bytes = 2 << 20;
    auto shard = OpenRocksShard(options, {{"items", nullptr, true}, {"other", nullptr, true}});
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    shard_ = *std::move(shard);
  }

  // What a crash of the machine leaves.
  void CrashAndOpen() {
    files_->CutPowerAt(1);
    files_->FailAppend(0, DiskError::kNone);
    files_->FailSync(0, DiskError::kNone);
    shard_ = nullptr;
    files_->DropUnsynced(1, UnsyncedBytes::kPrefix);
    Open();
  }

  Code Put(const std::string& key, const std::string& value = "value") {
    Batch batch;
    batch.Put(kItems, key, value);
    return shard_->Write(batch, Durability::kSync).code();
  }

  Code Get(const std::string& key) {
    PinnedValue value;
    return shard_->Get(kItems, key, &value).code();
  }

  void WaitASecond() { clock_.AdvanceMs(1001); }

  TemporaryDirectory directory_;
  const std::shared_ptr<FaultFileSystem> files_ = FaultFileSystem::New();
  ManualSteadyClock clock_;
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

TEST_F(RocksDiskErrorTest, AFullDiskRefusesWritesAndServesReadsUntilThereIsRoom) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailAll(DiskError::kNoSpace);
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  WaitASecond();
  EXPECT_EQ(Put("full"), Code::kNoSpace) << "tried again, and still full";
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("full"), Code::kNotFound);

  files_->FailAll(DiskError::kNone);
  EXPECT_EQ(Put("after"), Code::kNoSpace) << "not tried more often than once a second";
  WaitASecond();
  EXPECT_EQ(Put("after"), Code::kOk);
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("full"), Code::kNotFound);

  CrashAndOpen();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("full"), Code::kNotFound);
  EXPECT_EQ(Get("after"), Code::kOk);
}

TEST_F(RocksDiskErrorTest, AFirstWriteThatFoundNoRoomDoesNotSpoilTheNext) {
  files_->FailAll(DiskError::kNoSpace);
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  files_->FailAll(DiskError::kNone);
  WaitASecond();
  EXPECT_EQ(Put("after"), Code::kOk);
  CrashAndOpen();
  EXPECT_EQ(Get("full"), Code::kNotFound);
  EXPECT_EQ(Get("after"), Code::kOk);
}

TEST_F(RocksDiskErrorTest, ADiskThatFillsUpDuringAFlushRecovers) {
  const std::string large(100'000, 'x');
  for (int i = 0; i < 5; ++i) ASSERT_EQ(Put("before" + std::to_string(i), large), Code::kOk);
  files_->FailAll(DiskError::kNoSpace);
  EXPECT_EQ(shard_->Compact(kItems, {}, {}).code(), Code::kNoSpace) << "flushes first";
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  EXPECT_EQ(Get("before0"), Code::kOk);

  files_->FailAll(DiskError::kNone);
  WaitASecond();
  EXPECT_EQ(Put("after"), Code::kOk);
  EXPECT_TRUE(shard_->Compact(kItems, {}, {}).ok());
  CrashAndOpen();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Get("before" + std::to_string(i)), Code::kOk);
  EXPECT_EQ(Get("after"), Code::kOk);
}

TEST_F(RocksDiskErrorTest, CompactionAfterAFailedWriteIsRefused) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailAppend(1, DiskError::kNoSpace);
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  EXPECT_EQ(shard_->Compact(kItems, {}, {}).code(), Code::kNoSpace);
  WaitASecond();
  ASSERT_EQ(Put("after"), Code::kOk) << "the compaction did no harm";
  files_->FailSync(1, DiskError::kInputOutput);
  EXPECT_EQ(Put("unknown"), Code::kUnknownOutcome);
  EXPECT_EQ(shard_->Compact(kItems, {}, {}).code(), Code::kUnavailable);
  EXPECT_EQ(Get("before"), Code::kOk);
}

TEST_F(RocksDiskErrorTest, AFailedWriteHasAnUnknownOutcomeAndNoneFollowsIt) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailSync(1, DiskError::kInputOutput);
  EXPECT_EQ(Put("unknown"), Code::kUnknownOutcome);
  EXPECT_EQ(Put("refused"), Code::kUnavailable);
  WaitASecond();
  EXPECT_EQ(Put("refused"), Code::kUnavailable) << "a disk that lied once is not trusted again";
  EXPECT_EQ(Get("before"), Code::kOk);

  CrashAndOpen();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("refused"), Code::kNotFound);
  EXPECT_EQ(Put("after"), Code::kOk);
}

TEST_F(RocksDiskErrorTest, AFailedAppendLeavesTheRestWhole) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailAppend(1, DiskError::kInputOutput);
  EXPECT_EQ(Put("unknown"), Code::kUnknownOutcome);
  Open();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Put("after"), Code::kOk);
  CrashAndOpen();
  EXPECT_EQ(Get("before"), Code::kOk);
  EXPECT_EQ(Get("after"), Code::kOk);
}

TEST_F(RocksDiskErrorTest, ASyncThatFoundNoRoomLeavesTheOutcomeUnknown) {
  ASSERT_EQ(Put("before"), Code::kOk);
  files_->FailSync(1, DiskError::kNoSpace);
  EXPECT_EQ(Put("unknown"), Code::kUnknownOutcome) << "the whole record may be in the log";
  EXPECT_EQ(Put("full"), Code::kNoSpace);
  WaitASecond();
  EXPECT_EQ(Put("after"), Code::kOk);
  CrashAndOpen();
  EXPECT_EQ(Get("full"), Code::kNotFound);
  EXPECT_EQ(Get("after"), Code::kOk);
}

// What is read always agrees with what was answered, whatever fails when.
TEST_F(RocksDiskErrorTest, AnswersHoldUnderRandomFailures) {
  std::mt19937_64 random(1);
  std::map<std::string, bool> certain;  // key: there or not, by a certain answer
  for (int round = 0; round < 60; ++round) {
    if (random() % 2 == 0) files_->FailAppend(1 + random() % 8, DiskError::kNoSpace);
    if (random() % 2 == 0) files_->FailSync(1 + random() % 8, DiskError::kNoSpace);
    for (int i = 0; i < 10; ++i) {
      const std::string key = std::to_string(round) + "/" + std::to_string(i);
      const Code code = Put(key, std::string(random() % 50'000, 'x'));
      if (code != Code::kUnknownOutcome) certain[key] = code == Code::kOk;
      if (code != Code::kOk) WaitASecond();
      if (code == Code::kUnavailable) CrashAndOpen();
    }
    for (const auto& [key, there] : certain) ASSERT_EQ(Get(key) == Code::kOk, there) << key;
    if (round % 3 == 0) CrashAndOpen();
    for (const auto& [key, there] : certain) ASSERT_EQ(Get(key) == Code::kOk, there) << key;
  }
}

}  // namespace
}  // namespace lapse::store
