// Tests that completely dead tables are dropped while RocksDB compacts on its own.
#include <gtest/gtest.h>
#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/temporary_directory.h"
#include "store/rocks/rocks_shard.h"

namespace lapse::store {
namespace {

constexpr FamilyId kItems = 0;
constexpr int kRounds = 100;
constexpr ReclaimShares kNeverCompact = {2, 2};  // shares that no table reaches: tables are dropped or left

// Drops all that was written before the last Age().
class DropWhatIsOld : public DropPredicate {
 public:
  void Age() { ++age_; }
  std::string Stamp() const { return std::string(1, static_cast<char>(age_)); }

  bool MayDrop(std::string_view, std::string_view value) const override {
    return static_cast<unsigned char>(value.front()) < age_;
  }
  std::unique_ptr<Summary> NewSummary() const override { return std::make_unique<Latest>(); }
  bool MayDropAll(std::string_view summary) const override {
    return !summary.empty() && static_cast<unsigned char>(summary.front()) < age_;
  }

 private:
  class Latest : public Summary {
   public:
    void Add(std::string_view, std::string_view value) override {
      if (latest_.empty() || value.front() > latest_.front()) latest_.assign(1, value.front());
    }
    std::string Bytes() const override { return latest_; }

   private:
    std::string latest_;
  };

  std::atomic<int> age_{1};
};

// Slows down changes of the set of tables, so that other operations come between.
class SlowManifest : public rocksdb::FileSystemWrapper {
 public:
  SlowManifest() : FileSystemWrapper(FileSystem::Default()) {}
  const char* Name() const override { return "slow"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    rocksdb::IOStatus status = FileSystemWrapper::NewWritableFile(path, options, &file, debug);
    const bool slow = status.ok() && path.find("MANIFEST-") != std::string::npos;
    if (slow) file = std::make_unique<File>(std::move(file));
    *result = std::move(file);
    return status;
  }

 private:
  class File : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;
    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
      rocksdb::IOStatus status;
      for (int i = 0; i < 10 && status.ok(); ++i) status = FSWritableFileOwnerWrapper::Fsync(options, debug);
      return status;
    }
  };
};

class SlowManifestHook : public FileSystemHook {
 public:
  std::shared_ptr<rocksdb::FileSystem> NewFileSystem() override { return std::make_shared<SlowManifest>(); }
  std::shared_ptr<rocksdb::SystemClock> NewClock() override { return rocksdb::SystemClock::Default(); }
};

TEST(TableDropTest, ACompactionThatBeginsMeanwhileDoesNotStopTheShard) {
  SetLogLevel(LogLevel::kOff);
  TemporaryDirectory directory;
  DropWhatIsOld drop;
  RocksOptions options;
  options.path = (directory.path() / "shard").string();
  options.write_buffer_bytes = 1 << 20;
  options.file_system = std::make_shared<SlowManifestHook>();
  auto shard = OpenRocksShard(options, {{"items", &drop}});
  ASSERT_TRUE(shard.ok()) << shard.status().ToString();
  std::atomic<bool> stop{false};
  std::thread reclaim([&] {
    while (!stop) {
      if (!(*shard)->Reclaim(kItems, kNeverCompact).ok()) std::this_thread::yield();
    }
  });
  for (int round = 0; round < kRounds && !::testing::Test::HasFailure(); ++round) {
    for (int part = 0; part < 6; ++part) {
      Batch batch;
      for (int i = 0; i < 20; ++i) {
        batch.Put(kItems, std::to_string((i * 7919 + part) % 1000), drop.Stamp() + std::string(1000, 'x'));
      }
      const Status written = (*shard)->Write(batch, Durability::kRelaxed);
      EXPECT_TRUE(written.ok() && (*shard)->Flush().ok()) << written.ToString();
      if (!written.ok()) break;
    }
    drop.Age();
  }
  stop = true;
  (*shard)->StopCompactions();
  reclaim.join();
  EXPECT_TRUE((*shard)->Writable().ok());
  SetLogLevel(LogLevel::kInfo);
}

}  // namespace
}  // namespace lapse::store
