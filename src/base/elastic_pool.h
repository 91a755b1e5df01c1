// Threads for work that waits: for a disk, not for a core. There are as many as there is work to wait for.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "base/executor.h"

namespace lapse {

// A piece of work never waits for another one that waits, as long as fewer than `threads_max` do. A thread that found
// nothing to do for some seconds ends, but for a few.
// Owns: its threads. The destructor runs what is still queued, then waits for them.
class ElasticPool final : public Executor {
 public:
  ElasticPool(const std::string& name, size_t threads_max);
  ~ElasticPool() override;
  ElasticPool(const ElasticPool&) = delete;
  ElasticPool& operator=(const ElasticPool&) = delete;

  void Run(std::function<void()> work) override;
  void RunNext(std::function<void()> work) override;

  size_t threads() const;

 private:
  void StartThread();  // with mutex_ held
  void WorkLoop();

  const std::string name_;
  const size_t threads_max_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable ended_;
  std::deque<std::function<void()>> queue_;  // guarded by mutex_
  size_t threads_ = 0;                       // guarded by mutex_
  size_t idle_ = 0;                          // guarded by mutex_: of these, those that wait for work
  bool stopping_ = false;                    // guarded by mutex_
};

}  // namespace lapse
