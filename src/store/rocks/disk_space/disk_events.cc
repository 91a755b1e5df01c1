#include "store/rocks/disk_space/disk_events.h"

#include <rocksdb/listener.h>

#include <utility>

namespace lapse::store {
namespace {

class DiskEventListener : public rocksdb::EventListener {
 public:
  explicit DiskEventListener(std::shared_ptr<DiskEvents> events) : events_(std::move(events)) {}

  const char* Name() const override { return "lapse.disk_events"; }

  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = false;
  }

  // A new log begins together with a new write buffer.
  void OnMemTableSealed(const rocksdb::MemTableInfo&) override {
    events_->log_begun.store(true, std::memory_order_release);
  }

 private:
  const std::shared_ptr<DiskEvents> events_;
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> NewDiskEventListener(std::shared_ptr<DiskEvents> events) {
  return std::make_shared<DiskEventListener>(std::move(events));
}

}  // namespace lapse::store
