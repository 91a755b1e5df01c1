#include "store/rocks/reclaim/table_removal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/temporary_directory.h"

namespace lapse::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kPieceBytes = 1000;
constexpr auto kTimePerPiece = milliseconds(1);

// A clock that only the simulated disk and rests advance. Records how long the rests were.
class FakeClock : public rocksdb::SystemClockWrapper {
 public:
  FakeClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "fake"; }
  uint64_t NowNanos() override { return static_cast<uint64_t>(now_ns_.load()); }
  void SleepForMicroseconds(int us) override {
    Pass(std::chrono::microseconds(us));
    rested_ns_ += nanoseconds(std::chrono::microseconds(us)).count();
  }

  void Pass(nanoseconds time) { now_ns_ += time.count(); }
  nanoseconds rested() const { return nanoseconds(rested_ns_); }

 private:
  std::atomic<int64_t> now_ns_{0};
  std::atomic<int64_t> rested_ns_{0};
};

// A disk that takes time to free a block. Records the sizes that files are cut to.
class SlowToFree : public rocksdb::FileSystemWrapper {
 public:
  explicit SlowToFree(std::shared_ptr<FakeClock> clock)
      : FileSystemWrapper(FileSystem::Default()), clock_(std::move(clock)) {}
  const char* Name() const override { return "slow"; }

  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    if (std::filesystem::exists(path)) Free(std::filesystem::file_size(path));
    deletions.push_back(std::filesystem::path(path).filename());
    return FileSystemWrapper::DeleteFile(path, options, debug);
  }
  rocksdb::IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, uint64_t* bytes,
                                 rocksdb::IODebugContext*) override {
    *bytes = free_bytes;
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* result,
                                       rocksdb::IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    rocksdb::IOStatus status = FileSystemWrapper::ReopenWritableFile(path, options, &file, debug);
    if (status.ok()) *result = std::make_unique<File>(std::move(file), std::filesystem::file_size(path), this);
    return status;
  }

  // Read it only while nothing is being removed.
  std::vector<uint64_t> cuts;
  std::vector<std::string> deletions;  // names, in order
  std::atomic<uint64_t> free_bytes = 1 << 20;
  std::function<void()> at_a_cut = [] {};

 private:
  class File : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<rocksdb::FSWritableFile>&& file, uint64_t size_bytes, SlowToFree* disk)
        : FSWritableFileOwnerWrapper(std::move(file)), size_bytes_(size_bytes), disk_(disk) {}
    rocksdb::IOStatus Truncate(uint64_t size_bytes, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
      disk_->Free(size_bytes_ - size_bytes);
      disk_->cuts.push_back(size_bytes);
      disk_->at_a_cut();
      size_bytes_ = size_bytes;
      return FSWritableFileOwnerWrapper::Truncate(size_bytes, options, debug);
    }

   private:
    uint64_t size_bytes_;
    SlowToFree* const disk_;
  };

  void Free(uint64_t bytes) { clock_->Pass(kTimePerPiece * bytes / kPieceBytes); }

  const std::shared_ptr<FakeClock> clock_;
};

class TableRemovalTest : public ::testing::Test {
 protected:
  std::string MakeFile(const std::string& name, uint64_t size_bytes) {
    std::string path = (directory_.path() / name).string();
    std::ofstream(path) << std::string(size_bytes, 'x');
    return path;
  }
  void Remove(const std::string& path) { EXPECT_TRUE(removal_->files()->DeleteFile(path, {}, nullptr).ok()); }
  void WaitUntilGone(const std::string& path) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::filesystem::exists(path) && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  // Creates and removes a table of this many pieces.
  void RemovePieces(uint64_t pieces) {
    const std::string path = MakeFile(std::to_string(++tables_) + ".sst", pieces * kPieceBytes);
    Remove(path);
    WaitUntilGone(path);
  }
  void RemovePiecesPromptly(uint64_t pieces) {
    const TableRemoval::Prompt prompt;
    RemovePieces(pieces);
  }

  // Calls `meanwhile` while the table `first` is being removed: after the first cut, before the second.
  void WhileUnderWay(const std::string& first, const std::function<void()>& meanwhile) {
    std::promise<void> begun, go_on;
    std::future<void> may_go_on = go_on.get_future();
    disk_->at_a_cut = [&] {
      if (disk_->cuts.size() != 2) return;
      begun.set_value();
      may_go_on.wait();
    };
    Remove(first);
    begun.get_future().wait();
    meanwhile();
    go_on.set_value();
    removal_->Finish();
  }

  TemporaryDirectory directory_;
  int tables_ = 0;
  const std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  const std::shared_ptr<SlowToFree> disk_ = std::make_shared<SlowToFree>(clock_);
  const std::unique_ptr<TableRemoval> removal_ = TableRemoval::New(disk_, clock_,
                                                                   {.allowance = milliseconds(10),
                                                                    .regained_share = 0.1,
                                                                    .piece_bytes = kPieceBytes,
                                                                    .small_bytes = 2 * kPieceBytes},
                                                                   1 << 16);
};

TEST_F(TableRemovalTest, RestsAsLongAsEachPieceTook) {
  RemovePieces(4);
  EXPECT_THAT(disk_->cuts, ElementsAre(3000, 2000, 1000));
  EXPECT_EQ(clock_->rested(), 3 * kTimePerPiece);
}

TEST_F(TableRemovalTest, SmallTablesAreNotWorthARest) {
  const std::string path = MakeFile("1.sst", 2 * kPieceBytes);
  Remove(path);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THAT(disk_->cuts, IsEmpty());
}

TEST_F(TableRemovalTest, PromptRemovalsDoNotRestWithinTheAllowance) {
  RemovePiecesPromptly(4);
  RemovePiecesPromptly(8);
  EXPECT_THAT(disk_->cuts, IsEmpty());
  RemovePiecesPromptly(3);
  EXPECT_THAT(disk_->cuts, ElementsAre(2000, 1000));
}

TEST_F(TableRemovalTest, OthersLeaveTheAllowanceToThePromptOnes) {
  RemovePieces(100);
  disk_->cuts.clear();
  RemovePiecesPromptly(10);
  EXPECT_THAT(disk_->cuts, IsEmpty());
}

TEST_F(TableRemovalTest, RegainsTheAllowanceWithTime) {
  RemovePiecesPromptly(12);
  clock_->Pass(milliseconds(5));  // regains 1.7 of the 2 ms owed
  RemovePiecesPromptly(3);
  EXPECT_THAT(disk_->cuts, ElementsAre(2000, 1000));
  disk_->cuts.clear();
  clock_->Pass(milliseconds(1000));  // regains no more than the allowance
  RemovePiecesPromptly(12);
  EXPECT_THAT(disk_->cuts, IsEmpty());
  RemovePiecesPromptly(3);
  EXPECT_THAT(disk_->cuts, ElementsAre(2000, 1000));
}

TEST_F(TableRemovalTest, DoesNotRestOnANearlyFullDisk) {
  disk_->free_bytes = (1 << 16) - 1;
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, IsEmpty());
}

TEST_F(TableRemovalTest, StopsRestingWhenTheDiskFillsUp) {
  disk_->at_a_cut = [this] { disk_->free_bytes = 0; };
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, ElementsAre(11 * kPieceBytes));
}

TEST_F(TableRemovalTest, FinishesWhatWasAskedFor) {
  std::vector<std::string> paths;
  for (int i = 0; i < 20; ++i) paths.push_back(MakeFile(std::to_string(i) + ".sst", 100 * kPieceBytes));
  for (const std::string& path : paths) Remove(path);
  removal_->Finish();
  for (const std::string& path : paths) EXPECT_FALSE(std::filesystem::exists(path));
  disk_->cuts.clear();
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, IsEmpty());
}

// From time to time RocksDB scans its directory and deletes again all unused files that it finds there.
TEST_F(TableRemovalTest, ATableThatIsAskedForAgainIsRemovedOnce) {
  const std::string under_way = MakeFile("1.sst", 5 * kPieceBytes), waiting = MakeFile("2.sst", 5 * kPieceBytes);
  WhileUnderWay(under_way, [&] {
    Remove(waiting);
    Remove(under_way);
    Remove(waiting);
  });
  EXPECT_THAT(disk_->deletions, ElementsAre("1.sst", "2.sst"));
}

TEST_F(TableRemovalTest, ATableThatIsNearlyGoneIsNotTakenAwayFromTheRemovalUnderWay) {
  const std::string path = MakeFile("1.sst", 3 * kPieceBytes);  // small after the first cut
  WhileUnderWay(path, [&] { Remove(path); });
  EXPECT_THAT(disk_->deletions, ElementsAre("1.sst"));
}

TEST_F(TableRemovalTest, AWaitingTableThatIsAskedForPromptlyIsRemovedAtOnce) {
  const std::string under_way = MakeFile("1.sst", 5 * kPieceBytes), waiting = MakeFile("2.sst", 5 * kPieceBytes);
  WhileUnderWay(under_way, [&] {
    Remove(waiting);
    const TableRemoval::Prompt prompt;
    Remove(waiting);
    EXPECT_FALSE(std::filesystem::exists(waiting));
  });
  EXPECT_THAT(disk_->deletions, ElementsAre("2.sst", "1.sst"));
}

TEST_F(TableRemovalTest, LeavesATableWithAnotherNameWhole) {
  const std::string path = MakeFile("1.sst", 5 * kPieceBytes);
  const std::filesystem::path copy = directory_.path() / "copy.sst";
  std::filesystem::create_hard_link(path, copy);
  Remove(path);
  WaitUntilGone(path);
  EXPECT_EQ(std::filesystem::file_size(copy), 5 * kPieceBytes);
}

TEST_F(TableRemovalTest, NeverLeavesAPartOfALog) {
  const std::string path = MakeFile("1.log", 5 * kPieceBytes);
  Remove(path);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THAT(disk_->cuts, IsEmpty());
}

TEST_F(TableRemovalTest, ATableThatIsNotThere) {
  EXPECT_FALSE(removal_->files()->DeleteFile((directory_.path() / "none.sst").string(), {}, nullptr).ok());
}

}  // namespace
}  // namespace lapse::store
