#include "store/rocks/background_priority.h"

#include <rocksdb/listener.h>
#include <sys/resource.h>

#include "base/log.h"

namespace lapse::store {
namespace {

// A tenth of what a request's thread gets when they compete: a request that arrives is served at once, and compactions
// still keep up on a machine that is never idle. (The lowest priority would give them a seventieth.)
constexpr int kNiceness = 10;

// RocksDB compacts on threads that do nothing else, so that it is enough to ask for it whenever one begins.
class BackgroundPriorityListener : public rocksdb::EventListener {
 public:
  const char* Name() const override { return "lapse.background_priority"; }

  void OnCompactionBegin(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    constexpr id_t kThisThread = 0;
    if (getpriority(PRIO_PROCESS, kThisThread) >= kNiceness) return;
    // Of one thread, on Linux. It can only fail where the platform does not let a thread be modest.
    if (setpriority(PRIO_PROCESS, kThisThread, kNiceness) != 0) Log(LogLevel::kDebug, "compaction_priority", {});
  }
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> NewBackgroundPriorityListener() {
  return std::make_shared<BackgroundPriorityListener>();
}

}  // namespace lapse::store
