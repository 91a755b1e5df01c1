// Collects the partitions that have changed, so that the sweeper need not look at the others.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lapse::engine {

class Partition;

// Threads: any.
class SweepInbox {
 public:
  // Does not keep the partition alive.
  void Put(std::weak_ptr<Partition> changed) {
    std::lock_guard lock(mutex_);
    changed_.push_back(std::move(changed));
  }
  std::vector<std::weak_ptr<Partition>> TakeAll() {
    std::lock_guard lock(mutex_);
    return std::exchange(changed_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Partition>> changed_;  // guarded by mutex_
};

}  // namespace lapse::engine
