// What the rooms of the engine share. Internal: only sources of this folder include it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "base/executor.h"
#include "engine/catalog/catalog.h"
#include "engine/engine.h"
#include "engine/expiry/purge_filter.h"
#include "engine/expiry/reclaimer.h"
#include "engine/expiry/sweeper.h"
#include "engine/items/item_cache.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"

namespace lapse::engine {

// Counts work that is under way, so that the engine can wait for it before it goes.
class WorkCount {
 public:
  void Begin() {
    std::lock_guard lock(mutex_);
    ++count_;
  }
  void End() {
    std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }
  void WaitForNone() {
    std::unique_lock lock(mutex_);
    none_.wait(lock, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  int count_ = 0;  // guarded by mutex_
};

struct EngineParts {
  EngineOptions options;
  store::Shard* shard = nullptr;
  Executor* commits = nullptr;
  PurgeFilter unused_filter;  // where the shard asks none
  PurgeFilter* purge_filter = &unused_filter;
  WorkCount leaders;  // partitions whose writes are being committed
  std::unique_ptr<StoreClock> clock;
  bool clock_was_reset = false;  // ever
  std::unique_ptr<ItemCache> cache;
  std::unique_ptr<Catalog> catalog;
  std::unique_ptr<Reclaimer> reclaimer;
  std::unique_ptr<Sweeper> sweeper;
};

}  // namespace lapse::engine
