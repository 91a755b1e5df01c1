#include "store/rocks/paced_file_system.h"

#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

namespace lapse::store {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

// Threads: any.
class PacedFileSystem : public rocksdb::FileSystemWrapper {
 public:
  PacedFileSystem(std::shared_ptr<rocksdb::FileSystem> files, std::shared_ptr<rocksdb::SystemClock> clock,
                  RemovalPace pace, uint64_t free_bytes_min, const std::atomic<bool>* hurry)
      : FileSystemWrapper(std::move(files)),
        clock_(std::move(clock)),
        pace_(pace),
        free_bytes_min_(free_bytes_min),
        hurry_(*hurry),
        left_(pace.allowance),
        regained_at_(Now()) {}

  const char* Name() const override { return "lapse.paced"; }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    // Not a log: one that was cut short and is there after a crash would look damaged.
    if (path.ends_with(".sst") && MustRest(path, options)) {
      Shorten(path, options);
      return FileSystemWrapper::DeleteFile(path, options, debug);
    }
    const nanoseconds begin = Now();
    IOStatus status = FileSystemWrapper::DeleteFile(path, options, debug);
    const nanoseconds took = Now() - begin;
    std::lock_guard lock(mutex_);
    // What was taken too much is owed, else the least that is regained would do for a whole file.
    left_ = std::max(left_ - took, -pace_.allowance);
    return status;
  }

 private:
  nanoseconds Now() const { return nanoseconds(clock_->NowNanos()); }

  bool MustRest(const std::string& path, const IOOptions& options) {
    if (hurry_) return false;
    uint64_t free_bytes = 0;
    const bool known = FileSystemWrapper::GetFreeSpace(path, options, &free_bytes, nullptr).ok();
    if (known && free_bytes < free_bytes_min_) return false;
    const nanoseconds now = Now();
    std::lock_guard lock(mutex_);
    const auto regained = duration_cast<nanoseconds>((now - regained_at_) * pace_.regained_share);
    left_ = std::min(left_ + regained, pace_.allowance);
    regained_at_ = now;
    return left_ <= nanoseconds(0);
  }

  // To what goes with the name at once. An error is left to the deletion: it will meet it too.
  void Shorten(const std::string& path, const IOOptions& options) {
    uint64_t size_bytes = 0, names = 0;
    if (!FileSystemWrapper::GetFileSize(path, options, &size_bytes, nullptr).ok()) return;
    if (size_bytes <= pace_.piece_bytes) return;
    // With another name, in a copy of the directory made of links, the contents are not ours to take.
    if (!FileSystemWrapper::NumFileLinks(path, options, &names, nullptr).ok() || names != 1) return;
    std::unique_ptr<rocksdb::FSWritableFile> file;
    if (!FileSystemWrapper::ReopenWritableFile(path, rocksdb::FileOptions(), &file, nullptr).ok()) return;
    while (size_bytes > pace_.piece_bytes && !hurry_) {
      size_bytes -= pace_.piece_bytes;
      const nanoseconds begin = Now();
      if (!file->Truncate(size_bytes, options, nullptr).ok()) break;
      clock_->SleepForMicroseconds(static_cast<int>(duration_cast<microseconds>(Now() - begin).count()));
    }
    file->Close(options, nullptr).PermitUncheckedError();
  }

  const std::shared_ptr<rocksdb::SystemClock> clock_;
  const RemovalPace pace_;
  const uint64_t free_bytes_min_;
  const std::atomic<bool>& hurry_;
  std::mutex mutex_;
  nanoseconds left_;         // guarded by mutex_: of the allowance, at regained_at_; less than 0: owed
  nanoseconds regained_at_;  // guarded by mutex_
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> NewPacedFileSystem(std::shared_ptr<rocksdb::FileSystem> files,
                                                        std::shared_ptr<rocksdb::SystemClock> clock, RemovalPace pace,
                                                        uint64_t free_bytes_min, const std::atomic<bool>* hurry) {
  return std::make_shared<PacedFileSystem>(std::move(files), std::move(clock), pace, free_bytes_min, hurry);
}

}  // namespace lapse::store
