#include "store/rocks/reclaim/background_priority.h"

#include <rocksdb/listener.h>

#include "base/thread_priority.h"

namespace lapse::store {
namespace {

// RocksDB's compaction threads do nothing else, so the priority is lowered whenever a compaction begins.
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
