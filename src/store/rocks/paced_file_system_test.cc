#include "store/rocks/paced_file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/temporary_directory.h"

namespace lapse::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kPieceBytes = 1000;
constexpr auto kTimePerPiece = milliseconds(1);

// Stands still but for what is done. Notes how long was rested.
class FakeClock : public rocksdb::SystemClockWrapper {
 public:
  FakeClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "fake"; }
  uint64_t NowNanos() override { return static_cast<uint64_t>(now.count()); }
  void SleepForMicroseconds(int us) override {
    now += std::chrono::microseconds(us);
    rested += std::chrono::microseconds(us);
  }

  nanoseconds now{0};
  nanoseconds rested{0};
};

// A disk that needs a time to free a block. Notes the sizes that files are cut to.
class SlowToFree : public rocksdb::FileSystemWrapper {
 public:
  explicit SlowToFree(std::shared_ptr<FakeClock> clock)
      : FileSystemWrapper(FileSystem::Default()), clock_(std::move(clock)) {}
  const char* Name() const override { return "slow"; }

  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    if (std::filesystem::exists(path)) Free(std::filesystem::file_size(path));
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

  std::vector<uint64_t> cuts;
  uint64_t free_bytes = 1 << 20;
  std::atomic<bool>* hurried_by_a_cut = nullptr;

 private:
  class File : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<rocksdb::FSWritableFile>&& file, uint64_t size_bytes, SlowToFree* disk)
        : FSWritableFileOwnerWrapper(std::move(file)), size_bytes_(size_bytes), disk_(disk) {}
    rocksdb::IOStatus Truncate(uint64_t size_bytes, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
      disk_->Free(size_bytes_ - size_bytes);
      disk_->cuts.push_back(size_bytes);
      if (disk_->hurried_by_a_cut != nullptr) *disk_->hurried_by_a_cut = true;
      size_bytes_ = size_bytes;
      return FSWritableFileOwnerWrapper::Truncate(size_bytes, options, debug);
    }

   private:
    uint64_t size_bytes_;
    SlowToFree* const disk_;
  };

  void Free(uint64_t bytes) { clock_->now += kTimePerPiece * bytes / kPieceBytes; }

  const std::shared_ptr<FakeClock> clock_;
};

class PacedFileSystemTest : public ::testing::Test {
 protected:
  std::string MakeFile(const std::string& name, uint64_t size_bytes) {
    std::string path = (directory_.path() / name).string();
    std::ofstream(path) << std::string(size_bytes, 'x');
    return path;
  }
  void Remove(const std::string& path) {
    EXPECT_TRUE(files_->DeleteFile(path, {}, nullptr).ok());
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  // A file of this many pieces, made and removed.
  void RemovePieces(uint64_t pieces) { Remove(MakeFile("some.sst", pieces * kPieceBytes)); }

  TemporaryDirectory directory_;
  const std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  const std::shared_ptr<SlowToFree> disk_ = std::make_shared<SlowToFree>(clock_);
  std::atomic<bool> hurry_{false};
  const std::shared_ptr<rocksdb::FileSystem> files_ = NewPacedFileSystem(
      disk_, clock_, {.allowance = milliseconds(10), .regained_share = 0.1, .piece_bytes = kPieceBytes}, 1 << 16,
      &hurry_);
};

TEST_F(PacedFileSystemTest, RemovesAtOnceWithinTheAllowance) {
  RemovePieces(4);
  RemovePieces(4);
  EXPECT_THAT(disk_->cuts, IsEmpty());
  EXPECT_EQ(clock_->rested, nanoseconds(0));
}

TEST_F(PacedFileSystemTest, RestsAsLongAsEachPieceTook) {
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, IsEmpty());
  Remove(MakeFile("table.sst", 3 * kPieceBytes + 500));
  EXPECT_THAT(disk_->cuts, ElementsAre(2500, 1500, 500));
  EXPECT_EQ(clock_->rested, 3 * kTimePerPiece);
}

TEST_F(PacedFileSystemTest, RegainsTheAllowanceWithTime) {
  RemovePieces(12);
  clock_->now += milliseconds(5);  // of 2 ms that are owed, 1.7 are regained
  RemovePieces(2);
  EXPECT_THAT(disk_->cuts, ElementsAre(kPieceBytes));
  clock_->now += milliseconds(1000);  // no more than the allowance
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, ElementsAre(kPieceBytes));
  RemovePieces(2);
  EXPECT_THAT(disk_->cuts, ElementsAre(kPieceBytes, kPieceBytes));
}

TEST_F(PacedFileSystemTest, DoesNotRestOnANearlyFullDisk) {
  RemovePieces(12);
  disk_->free_bytes = (1 << 16) - 1;
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, IsEmpty());
}

TEST_F(PacedFileSystemTest, DoesNotRestOnceInAHurry) {
  RemovePieces(12);
  disk_->hurried_by_a_cut = &hurry_;
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, ElementsAre(11 * kPieceBytes));
  RemovePieces(12);
  EXPECT_THAT(disk_->cuts, ElementsAre(11 * kPieceBytes));
}

TEST_F(PacedFileSystemTest, LeavesAFileWithAnotherNameWhole) {
  RemovePieces(12);
  const std::string path = MakeFile("table.sst", 5 * kPieceBytes);
  const std::filesystem::path copy = directory_.path() / "copy.sst";
  std::filesystem::create_hard_link(path, copy);
  Remove(path);
  EXPECT_EQ(std::filesystem::file_size(copy), 5 * kPieceBytes);
}

TEST_F(PacedFileSystemTest, NeverLeavesAPartOfALog) {
  RemovePieces(12);
  Remove(MakeFile("000001.log", 5 * kPieceBytes));
  EXPECT_THAT(disk_->cuts, IsEmpty());
}

TEST_F(PacedFileSystemTest, AFileThatIsNotThere) {
  RemovePieces(12);
  EXPECT_FALSE(files_->DeleteFile((directory_.path() / "none.sst").string(), {}, nullptr).ok());
}

}  // namespace
}  // namespace lapse::store
