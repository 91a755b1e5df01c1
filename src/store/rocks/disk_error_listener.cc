#include "store/rocks/disk_error_listener.h"

#include <rocksdb/db.h>
#include <rocksdb/listener.h>

#include <utility>

namespace lapse::store {
namespace {

class DiskErrorListener : public rocksdb::EventListener {
 public:
  explicit DiskErrorListener(std::shared_ptr<DiskEvents> events) : events_(std::move(events)) {}

  const char* Name() const override { return "lapse.disk_errors"; }

  // Without this RocksDB does not report errors of files.
  bool ShouldBeNotifiedOnFileIO() override { return true; }

  void OnIOError(const rocksdb::IOErrorInfo& info) override {
    if (!info.file_path.ends_with(".log")) return;
    const bool sync =
        info.operation == rocksdb::FileOperationType::kSync || info.operation == rocksdb::FileOperationType::kFsync;
    if (sync) events_->log_sync_failed.store(true, std::memory_order_release);
    events_->log_failed.store(true, std::memory_order_release);
  }

  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = false;
  }

  void OnMemTableSealed(const rocksdb::MemTableInfo& info) override {
    events_->log_begun.store(true, std::memory_order_release);
    if (info.cf_name == rocksdb::kDefaultColumnFamilyName) events_->anchored.store(false, std::memory_order_release);
  }

 private:
  const std::shared_ptr<DiskEvents> events_;
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> NewDiskErrorListener(std::shared_ptr<DiskEvents> events) {
  return std::make_shared<DiskErrorListener>(std::move(events));
}

}  // namespace lapse::store
