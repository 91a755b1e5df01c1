#include "store/rocks/reclaim/background_priority.h"

#include <rocksdb/listener.h>

#include "base/thread_priority.h"

namespace lapse::store {
namespace {

// RocksDB compacts on threads that do nothing else, so that it is enough to ask for it whenever one begins.
class BackgroundPriorityListener : public rocksdb::EventListener {
 public:
  const char* Name() const override { return "lapse.background_priority"; }

  void OnCompactionBegin(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override { YieldToRequests(); }
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> NewBackgroundPriorityListener() {
  return std::make_shared<BackgroundPriorityListener>();
}

}  // namespace lapse::store
