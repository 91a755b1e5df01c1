#include "store/rocks/reclaim/table_removal.h"

#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/thread_priority.h"
#include "store/rocks/directory/file_names.h"

namespace lapse::store {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

thread_local int prompt_depth = 0;

// A budget of time that is regained slowly. Threads: any.
class Allowance {
 public:
  Allowance(nanoseconds most, double regained_share, nanoseconds now)
      : most_(most), regained_share_(regained_share), left_(most), regained_at_(now) {}

  bool Left(nanoseconds now) {
    std::lock_guard lock(mutex_);
    left_ = std::min(left_ + duration_cast<nanoseconds>((now - regained_at_) * regained_share_), most_);
    regained_at_ = now;
    return left_ > nanoseconds(0);
  }

  // Overspending becomes debt. Otherwise the smallest regained time would pay for a whole table.
  void Spend(nanoseconds time) {
    std::lock_guard lock(mutex_);
    left_ = std::max(left_ - time, -most_);
  }

 private:
  const nanoseconds most_;
  const double regained_share_;
  std::mutex mutex_;
  nanoseconds left_;         // guarded by mutex_; as of regained_at_
  nanoseconds regained_at_;  // guarded by mutex_
};

class PacedFileSystem : public rocksdb::FileSystemWrapper {
 public:
  PacedFileSystem(const std::shared_ptr<rocksdb::FileSystem>& files, std::shared_ptr<rocksdb::SystemClock> clock,
                  RemovalPace pace, uint64_t free_bytes_min)
      : FileSystemWrapper(files),
        clock_(std::move(clock)),
        pace_(pace),
        free_bytes_min_(free_bytes_min),
        allowance_(pace.allowance, pace.regained_share, Now()),
        thread_([this] { Loop(); }) {}
  ~PacedFileSystem() override { Finish(); }

  const char* Name() const override { return "lapse.paced"; }

  // A log is never truncated, since a partial one would look damaged after a crash.
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (!IsTable(path)) return FileSystemWrapper::DeleteFile(path, options, debug);
    if (IsUnderWay(path)) return IOStatus::OK();
    if (!IsLarge(path)) return FileSystemWrapper::DeleteFile(path, options, debug);
    const bool prompt = prompt_depth > 0 && allowance_.Left(Now());
    if (prompt || IsUrgent(path)) return DeleteAtOnce(path, options, debug);
    {
      std::lock_guard lock(mutex_);
      if (path != under_way_) waiting_.insert(path);
    }
    wake_.notify_one();
    return IOStatus::OK();
  }

  void Finish() {
    {
      std::lock_guard lock(mutex_);
      finish_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  nanoseconds Now() const { return nanoseconds(clock_->NowNanos()); }

  bool IsUnderWay(const std::string& path) {
    std::lock_guard lock(mutex_);
    return path == under_way_;
  }

  bool IsLarge(const std::string& path) {
    uint64_t size_bytes = 0;
    return FileSystemWrapper::GetFileSize(path, IOOptions(), &size_bytes, nullptr).ok() &&
           size_bytes > pace_.small_bytes;
  }

  bool IsUrgent(const std::string& path) {
    if (finish_) return true;
    uint64_t free_bytes = 0;
    return FileSystemWrapper::GetFreeSpace(path, IOOptions(), &free_bytes, nullptr).ok() &&
           free_bytes < free_bytes_min_;
  }

  IOStatus DeleteAtOnce(const std::string& path, const IOOptions& options, IODebugContext* debug) {
    {
      std::lock_guard lock(mutex_);
      if (path == under_way_) return IOStatus::OK();
      waiting_.erase(path);
    }
    const nanoseconds begin = Now();
    IOStatus status = FileSystemWrapper::DeleteFile(path, options, debug);
    allowance_.Spend(Now() - begin);
    return status;
  }

  void Loop() {
    YieldToRequests();
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return finish_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      under_way_ = std::move(waiting_.extract(waiting_.begin()).value());
      const std::string path = under_way_;
      lock.unlock();
      Shorten(path);
      const IOStatus removed = FileSystemWrapper::DeleteFile(path, IOOptions(), nullptr);
      if (!removed.ok()) Log(LogLevel::kWarn, "a table could not be removed", {{"error", removed.ToString()}});
      lock.lock();
      under_way_.clear();
    }
  }

  // Truncates to the size that can be freed at once. Ignores errors, since the removal will meet them too.
  void Shorten(const std::string& path) {
    const IOOptions options;
    uint64_t size_bytes = 0, names = 0;
    if (!FileSystemWrapper::GetFileSize(path, options, &size_bytes, nullptr).ok()) return;
    // A file with a second name, in a copy of the directory made of hard links, must keep its contents.
    if (!FileSystemWrapper::NumFileLinks(path, options, &names, nullptr).ok() || names != 1) return;
    std::unique_ptr<rocksdb::FSWritableFile> file;
    if (!FileSystemWrapper::ReopenWritableFile(path, rocksdb::FileOptions(), &file, nullptr).ok()) return;
    while (size_bytes > pace_.piece_bytes && !IsUrgent(path)) {
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
  Allowance allowance_;
  std::mutex mutex_;
  std::condition_variable wake_;
  // Each table at most once: from time to time RocksDB scans its directory, finds tables still there, and deletes them
  // again.
  std::set<std::string> waiting_;    // guarded by mutex_: paths, so the oldest table comes first
  std::string under_way_;            // guarded by mutex_: the path being removed; empty: none
  std::atomic<bool> finish_{false};  // set under mutex_
  std::thread thread_;
};

class TableRemovalImpl : public TableRemoval {
 public:
  explicit TableRemovalImpl(std::shared_ptr<PacedFileSystem> files) : files_(std::move(files)) {}

  std::shared_ptr<rocksdb::FileSystem> files() override { return files_; }
  void Finish() override { files_->Finish(); }

 private:
  const std::shared_ptr<PacedFileSystem> files_;
};

}  // namespace

std::unique_ptr<TableRemoval> TableRemoval::New(const std::shared_ptr<rocksdb::FileSystem>& files,
                                                std::shared_ptr<rocksdb::SystemClock> clock, RemovalPace pace,
                                                uint64_t free_bytes_min) {
  return std::make_unique<TableRemovalImpl>(
      std::make_shared<PacedFileSystem>(files, std::move(clock), pace, free_bytes_min));
}

TableRemoval::Prompt::Prompt() {
  ++prompt_depth;
}

TableRemoval::Prompt::~Prompt() {
  --prompt_depth;
}

}  // namespace lapse::store
