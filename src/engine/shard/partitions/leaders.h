// Runs the leaders of partitions, and counts those at work.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "base/executor.h"

namespace lapse::engine {

// Threads: any. Must outlive the work that runs here.
class Leaders {
 public:
  explicit Leaders(Executor* executor) : executor_(executor) {}

  void Run(std::function<void()> work) { executor_->Run(Counted(std::move(work))); }
  // For leaders only: see Executor.
  void RunNext(std::function<void()> work) { executor_->RunNext(Counted(std::move(work))); }

  // Returns when no leader is at work. The engine waits for that before it is destroyed.
  void WaitForNone() {
    std::unique_lock lock(mutex_);
    none_.wait(lock, [this] { return count_ == 0; });
  }

 private:
  std::function<void()> Counted(std::function<void()> work) {
    {
      std::lock_guard lock(mutex_);
      ++count_;
    }
    return [this, work = std::move(work)]() mutable {
      work();
      work = nullptr;  // releases what the work keeps alive before the count drops
      std::lock_guard lock(mutex_);
      if (--count_ == 0) none_.notify_all();
    };
  }

  Executor* const executor_;
  std::mutex mutex_;
  std::condition_variable none_;
  int count_ = 0;  // guarded by mutex_
};

}  // namespace lapse::engine
