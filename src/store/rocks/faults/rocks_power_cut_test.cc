// Cuts the power at random moments while batches are written, and checks what is left.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/log.h"
#include "base/temporary_directory.h"
#include "store/rocks/faults/fault_file_system.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::store {
namespace {

constexpr FamilyId kLeft = 0;
constexpr FamilyId kRight = 1;
constexpr int kSeeds = 10;
constexpr int kCutsPerSeed = 4;
constexpr int kBatchesMax = 120;

std::string Key(uint64_t number) {
  std::string digits = std::to_string(number);
  return std::string(8 - digits.size(), '0') + digits;
}

// Batch n puts n into both families, which shows which batches are present.
class PowerCutRun {
 public:
  PowerCutRun(uint64_t seed, UnsyncedBytes unsynced, bool relaxed_writes)
      : random_(seed), unsynced_(unsynced), relaxed_writes_(relaxed_writes) {}

  void Go() {
    for (int cut = 0; cut < kCutsPerSeed && !::testing::Test::HasFailure(); ++cut) {
      files_->CutPowerAt(1 + random_() % 400);
      WriteUntilTheCut();
      files_->DropUnsynced(random_(), unsynced_);
      Check();
    }
  }

 private:
  Result<std::unique_ptr<Shard>> Open() {
    RocksOptions options;
    options.path = (directory_.path() / "shard").string();
    options.file_system = files_;
    options.removal = {.allowance = {}, .piece_bytes = 4096, .small_bytes = 4096};
    options.accept_lost_log_tail = relaxed_writes_;
    options.create_if_missing = !made_;
    options.write_buffer_bytes = 1 << 20;  // small, to cause flushes and new logs
    return OpenRocksShard(options, {{"left", nullptr, true}, {"right", nullptr, true}});
  }

  void WriteUntilTheCut() {
    auto shard = Open();
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    made_ |= !files_->power_is_cut();
    for (int i = 0; i < kBatchesMax && !files_->power_is_cut(); ++i) {
      const std::string value(random_() % 40'000, 'x');
      Batch batch;
      batch.Put(kLeft, Key(written_), value);
      batch.Put(kRight, Key(written_), value);
      const bool sync = !relaxed_writes_ || random_() % 4 == 0;
      ++written_;
      ASSERT_TRUE((*shard)->Write(batch, sync ? Durability::kSync : Durability::kRelaxed).ok());
      // An answer after the cut reached no client.
      if (sync && !files_->power_is_cut()) acknowledged_ = written_;
      if (random_() % 50 == 0) {
        ASSERT_TRUE((*shard)->Compact(random_() % 2, {}, {}).ok());
      }
    }
  }

  void Check() {
    auto shard = Open();
    ASSERT_TRUE(shard.ok()) << shard.status().ToString();
    const uint64_t left = CountInOrder(shard->get(), kLeft), right = CountInOrder(shard->get(), kRight);
    EXPECT_EQ(left, right) << "a batch is torn";
    EXPECT_GE(left, acknowledged_) << "an acknowledged batch is lost";
    EXPECT_LE(left, written_);
    written_ = acknowledged_ = left;
  }

  // Returns the number of batches, which must be 0, 1, 2 ... without a gap.
  uint64_t CountInOrder(Shard* shard, FamilyId family) {
    uint64_t count = 0;
    auto walk = shard->NewIterator(family, {});
    for (walk->SeekToFirst(); walk->Valid(); walk->Next(), ++count) EXPECT_EQ(walk->key(), Key(count)) << "a gap";
    EXPECT_TRUE(walk->status().ok()) << walk->status().ToString();
    return count;
  }

  std::mt19937_64 random_;
  const UnsyncedBytes unsynced_;
  const bool relaxed_writes_;
  TemporaryDirectory directory_;
  const std::shared_ptr<FaultFileSystem> files_ = FaultFileSystem::New();
  bool made_ = false;          // a shard was opened before the power cut
  uint64_t written_ = 0;       // batches begun
  uint64_t acknowledged_ = 0;  // batches that must survive
};

void RunAllSeeds(UnsyncedBytes unsynced, bool relaxed_writes) {
  SetLogLevel(LogLevel::kOff);  // RocksDB logs much about failing files
  for (int seed = 0; seed < kSeeds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PowerCutRun(seed, unsynced, relaxed_writes).Go();
  }
}

TEST(RocksPowerCutTest, SyncedBatchesSurviveWhenUnsyncedBytesAreLost) {
  RunAllSeeds(UnsyncedBytes::kLost, false);
}

TEST(RocksPowerCutTest, SyncedBatchesSurviveWhenUnsyncedBytesAreTorn) {
  RunAllSeeds(UnsyncedBytes::kPrefix, false);
}

TEST(RocksPowerCutTest, SyncedBatchesSurviveWhenUnsyncedBytesAreGarbled) {
  RunAllSeeds(UnsyncedBytes::kGarbled, false);
}

TEST(RocksPowerCutTest, RelaxedBatchesSurviveInOrder) {
  RunAllSeeds(UnsyncedBytes::kPrefix, true);
}

TEST(RocksPowerCutTest, RelaxedBatchesSurviveInOrderWhenUnsyncedBytesAreGarbled) {
  RunAllSeeds(UnsyncedBytes::kGarbled, true);
}

}  // namespace
}  // namespace lapse::store
