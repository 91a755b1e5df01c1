// The benchmarks' items in the form that the engine takes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/status.h"
#include "bench/measure/items.h"
#include "bench/measure/report.h"
#include "engine/catalog/containers/container.h"
#include "engine/records/items/item.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::bench {

inline void CheckOk(const Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

// Bounds the number of writes in flight.
class WriteWindow {
 public:
  void Enter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return count_ < kMax; });
    ++count_;
  }
  void Leave() {
    std::lock_guard lock(mutex_);
    if (--count_ == 0 || count_ == kMax / 2) changed_.notify_all();
  }
  void WaitForNone() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return count_ == 0; });
  }

 private:
  static constexpr int kMax = 4096;
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;  // guarded by mutex_
};

inline engine::ItemAddress AddressOf(const engine::Container& container, uint64_t number) {
  auto component = engine::PartitionKeyComponent::String(ItemPartitionKey(number));
  return {engine::LogicalKeyOf(container.partition_key(), {&component, 1}), engine::StringItemId(ItemId(number))};
}

}  // namespace lapse::bench
