// Where the leaders of partitions run, and how many are at work.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "base/executor.h"

namespace lapse::engine {

// Threads: any. Must outlive what runs here.
class Leaders {
 public:
  explicit Leaders(Executor* executor) : executor_(executor) {}

  void Run(std::function<void()> work) { executor_->Run(Counted(std::move(work))); }
  // To be called by a leader: see Executor.
  void RunNext(std::function<void()> work) { executor_->RunNext(Counted(std::move(work))); }

  // Returns when none is at work. The engine waits for that before it goes.
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
      work = nullptr;  // what it keeps alive goes before the count says so
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
