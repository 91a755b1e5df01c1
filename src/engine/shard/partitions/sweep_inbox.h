// Where partitions say that something has changed in them, so that the sweeper need not look at those in which nothing
// has.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lapse::engine {

class Container;
class Partition;

// Threads: any.
class SweepInbox {
 public:
  struct Changed {
    std::weak_ptr<Container> container;  // keeps nobody alive
    Partition* partition;                // of that container
  };

  void Put(Changed changed) {
    std::lock_guard lock(mutex_);
    changed_.push_back(std::move(changed));
  }
  std::vector<Changed> TakeAll() {
    std::lock_guard lock(mutex_);
    return std::exchange(changed_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Changed> changed_;  // guarded by mutex_
};

}  // namespace lapse::engine
