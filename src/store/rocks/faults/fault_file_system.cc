#include "store/rocks/faults/fault_file_system.h"

#include <rocksdb/file_system.h>
#include <rocksdb/io_status.h>
#include <rocksdb/system_clock.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace lapse::store {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// Counts down to the one call that must fail. 0: none.
class Countdown {
 public:
  void Start(uint64_t n) { left_ = n; }
  bool Hit() { return left_ > 0 && --left_ == 0; }

 private:
  uint64_t left_ = 0;
};

IOStatus ToIoStatus(DiskError error) {
  switch (error) {
    case DiskError::kNone: return IOStatus::OK();
    case DiskError::kNoSpace: {
      IOStatus status = IOStatus::NoSpace("injected");
      status.SetRetryable(true);  // as RocksDB's own file system marks a full disk
      return status;
    }
    case DiskError::kInputOutput: return IOStatus::IOError("injected");
  }
  return IOStatus::IOError("injected");
}

// A test that waits longer than this has failed.
constexpr std::chrono::seconds kHangWait{30};

// The calls that must fail, and the model of the disk. A call that changes something holds the lock until the change is
// made, so that the model and the disk agree.
// Threads: any.
struct Faults {
  std::unique_lock<std::mutex> Lock() const { return std::unique_lock(mutex); }

  // Both release the lock while they wait.
  void AwaitAppend(std::unique_lock<std::mutex>* lock) {
    Await(lock, [this] { return hanging != HangingCalls::kAppendsAndSyncs; });
  }
  void AwaitSync(std::unique_lock<std::mutex>* lock) {
    Await(lock, [this] { return hanging == HangingCalls::kNone; });
  }
  template <typename Answers>
  void Await(std::unique_lock<std::mutex>* lock, Answers answers) {
    if (answers()) return;
    ++calls_hanging;
    hang_changed.notify_all();
    hang_changed.wait(*lock, answers);
    --calls_hanging;
  }

  // Everything below requires the lock.
  void CutPower() {
    power_is_cut = true;
    model.CutPower();
  }
  void Change() {
    if (power_cut.Hit()) CutPower();
  }
  IOStatus Append() {
    Change();
    return ToIoStatus(append.Hit() ? append_error : all_error);
  }
  IOStatus Sync() {
    Change();
    ++syncs;
    return ToIoStatus(sync.Hit() ? sync_error : all_error);
  }
  IOStatus Read() {
    ++reads;
    return ToIoStatus(read_error);
  }

  mutable std::mutex mutex;
  std::condition_variable hang_changed;
  HangingCalls hanging = HangingCalls::kNone;
  int calls_hanging = 0;
  DiskModel model;
  Countdown append, sync, power_cut;
  DiskError append_error = DiskError::kNone, sync_error = DiskError::kNone, all_error = DiskError::kNone;
  DiskError read_error = DiskError::kNone;
  std::optional<uint64_t> free_bytes;
  bool power_is_cut = false;
  uint64_t syncs = 0;
  uint64_t reads = 0;
};

class FaultFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultFile(std::unique_ptr<rocksdb::FSWritableFile>&& file, std::string path, std::shared_ptr<Faults> faults)
      : FSWritableFileOwnerWrapper(std::move(file)), path_(std::move(path)), faults_(std::move(faults)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    auto lock = faults_->Lock();
    faults_->AwaitAppend(&lock);
    IOStatus fault = faults_->Append();
    // A failed append leaves a torn record behind.
    const Slice written(data.data(), fault.ok() ? data.size() : data.size() / 2);
    IOStatus status = FSWritableFileOwnerWrapper::Append(written, options, debug);
    if (status.ok()) faults_->model.Appended(path_, written.size());
    return fault.ok() ? status : fault;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Truncate(uint64_t size_bytes, const IOOptions& options, IODebugContext* debug) override {
    auto lock = faults_->Lock();
    faults_->Change();
    // A truncation could not be undone.
    if (faults_->power_is_cut) return IOStatus::OK();
    faults_->model.Truncated(path_, size_bytes);
    return FSWritableFileOwnerWrapper::Truncate(size_bytes, options, debug);
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return Synced(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return Synced(); }

 private:
  // Does not really sync: the model decides what survives, and tests stay fast.
  IOStatus Synced() {
    auto lock = faults_->Lock();
    faults_->AwaitSync(&lock);
    if (IOStatus fault = faults_->Sync(); !fault.ok()) return fault;
    faults_->model.Synced(path_);
    return IOStatus::OK();
  }

  const std::string path_;
  const std::shared_ptr<Faults> faults_;
};

class FaultTable : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  FaultTable(std::unique_ptr<rocksdb::FSRandomAccessFile>&& file, std::shared_ptr<Faults> faults)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), faults_(std::move(faults)) {}

  IOStatus Read(uint64_t offset, size_t bytes, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) const override {
    if (IOStatus fault = Fault(); !fault.ok()) return fault;
    return FSRandomAccessFileOwnerWrapper::Read(offset, bytes, options, result, scratch, debug);
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    if (IOStatus fault = Fault(); !fault.ok()) return fault;
    return FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options, debug);
  }
  IOStatus Prefetch(uint64_t offset, size_t bytes, const IOOptions& options, IODebugContext* debug) override {
    if (IOStatus fault = Fault(); !fault.ok()) return fault;
    return FSRandomAccessFileOwnerWrapper::Prefetch(offset, bytes, options, debug);
  }

 private:
  IOStatus Fault() const {
    auto lock = faults_->Lock();
    return faults_->Read();
  }

  const std::shared_ptr<Faults> faults_;
};

class FaultDirectory : public rocksdb::FSDirectoryWrapper {
 public:
  FaultDirectory(std::unique_ptr<rocksdb::FSDirectory>&& directory, std::string path, std::shared_ptr<Faults> faults)
      : FSDirectoryWrapper(std::move(directory)), path_(std::move(path)), faults_(std::move(faults)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return Synced(); }
  IOStatus FsyncWithDirOptions(const IOOptions&, IODebugContext*, const rocksdb::DirFsyncOptions&) override {
    return Synced();
  }

 private:
  IOStatus Synced() {
    auto lock = faults_->Lock();
    faults_->AwaitSync(&lock);
    if (IOStatus fault = faults_->Sync(); !fault.ok()) return fault;
    faults_->model.DirectorySynced(path_);
    return IOStatus::OK();
  }

  const std::string path_;
  const std::shared_ptr<Faults> faults_;
};

class FaultyRocksFileSystem : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultyRocksFileSystem(std::shared_ptr<Faults> faults)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), faults_(std::move(faults)) {}

  const char* Name() const override { return "lapse.faulty"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) override {
    auto lock = faults_->Lock();
    faults_->Change();
    faults_->model.Creating(path);
    std::unique_ptr<rocksdb::FSWritableFile> file;
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, &file, debug);
    if (status.ok()) *result = std::make_unique<FaultFile>(std::move(file), path, faults_);
    return status;
  }

  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    IOStatus status = FileSystemWrapper::ReopenWritableFile(path, options, &file, debug);
    if (status.ok()) *result = std::make_unique<FaultFile>(std::move(file), path, faults_);
    return status;
  }

  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result, IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSRandomAccessFile> file;
    IOStatus status = FileSystemWrapper::NewRandomAccessFile(path, options, &file, debug);
    if (status.ok()) *result = std::make_unique<FaultTable>(std::move(file), faults_);
    return status;
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext* debug) override {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    IOStatus status = FileSystemWrapper::NewDirectory(path, options, &directory, debug);
    if (status.ok()) *result = std::make_unique<FaultDirectory>(std::move(directory), path, faults_);
    return status;
  }

  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    auto lock = faults_->Lock();
    faults_->Change();
    faults_->model.Renaming(from, to);
    return FileSystemWrapper::RenameFile(from, to, options, debug);
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    auto lock = faults_->Lock();
    faults_->Change();
    if (IOStatus status = FileSystemWrapper::FileExists(path, options, debug); !status.ok()) return status;
    faults_->model.Delete(path);
    return IOStatus::OK();
  }

  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options, uint64_t* free_bytes,
                        IODebugContext* debug) override {
    auto lock = faults_->Lock();
    IOStatus status = FileSystemWrapper::GetFreeSpace(path, options, free_bytes, debug);
    *free_bytes = faults_->free_bytes.value_or(*free_bytes);
    if (faults_->all_error == DiskError::kNoSpace) *free_bytes = 0;
    return status;
  }

 private:
  const std::shared_ptr<Faults> faults_;
};

// RocksDB sleeps for a second after a background error. Tests with many errors skip that.
class BriefClock : public rocksdb::SystemClockWrapper {
 public:
  using SystemClockWrapper::SystemClockWrapper;
  const char* Name() const override { return "lapse.brief"; }
  void SleepForMicroseconds(int us) override { SystemClockWrapper::SleepForMicroseconds(std::min(us, 1000)); }
};

class FaultFileSystemImpl : public FaultFileSystem {
 public:
  std::shared_ptr<rocksdb::FileSystem> NewFileSystem() override {
    return std::make_shared<FaultyRocksFileSystem>(faults_);
  }
  std::shared_ptr<rocksdb::SystemClock> NewClock() override {
    return std::make_shared<BriefClock>(rocksdb::SystemClock::Default());
  }

  void FailAll(DiskError error) override {
    auto lock = faults_->Lock();
    faults_->all_error = error;
  }
  void FailReads(DiskError error) override {
    auto lock = faults_->Lock();
    faults_->read_error = error;
  }
  void SetFreeBytes(std::optional<uint64_t> free_bytes) override {
    auto lock = faults_->Lock();
    faults_->free_bytes = free_bytes;
  }
  void FailAppend(uint64_t n, DiskError error) override {
    auto lock = faults_->Lock();
    faults_->append.Start(n);
    faults_->append_error = error;
  }
  void FailSync(uint64_t n, DiskError error) override {
    auto lock = faults_->Lock();
    faults_->sync.Start(n);
    faults_->sync_error = error;
  }
  void Hang(HangingCalls calls) override {
    auto lock = faults_->Lock();
    faults_->hanging = calls;
    faults_->hang_changed.notify_all();
  }
  bool WaitUntilHanging() override {
    auto lock = faults_->Lock();
    return faults_->hang_changed.wait_for(lock, kHangWait, [this] { return faults_->calls_hanging > 0; });
  }
  void CutPowerAt(uint64_t n) override {
    auto lock = faults_->Lock();
    if (n == 0) faults_->CutPower();
    faults_->power_cut.Start(n);
  }
  bool power_is_cut() const override {
    auto lock = faults_->Lock();
    return faults_->power_is_cut;
  }
  void DropUnsynced(uint64_t seed, UnsyncedBytes unsynced) override {
    auto lock = faults_->Lock();
    faults_->model.Restart(seed, unsynced);
    faults_->power_cut.Start(0);
    faults_->power_is_cut = false;
  }
  uint64_t syncs() const override {
    auto lock = faults_->Lock();
    return faults_->syncs;
  }
  uint64_t reads() const override {
    auto lock = faults_->Lock();
    return faults_->reads;
  }

 private:
  const std::shared_ptr<Faults> faults_ = std::make_shared<Faults>();
};

}  // namespace

std::shared_ptr<FaultFileSystem> FaultFileSystem::New() {
  return std::make_shared<FaultFileSystemImpl>();
}

}  // namespace lapse::store
