// A thread pool for work that blocks on a disk rather than uses a core. It grows with the number of blocked tasks.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "base/executor.h"

namespace lapse {

// Fewer than `threads_max` blocked tasks never delay another task. A thread that has been idle for some seconds ends,
// except for the last few.
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
  void StartThread();  // requires mutex_
  void WorkLoop();

  const std::string name_;
  const size_t threads_max_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable ended_;
  std::deque<std::function<void()>> queue_;  // guarded by mutex_
  size_t threads_ = 0;                       // guarded by mutex_
  size_t idle_ = 0;                          // guarded by mutex_: threads waiting for work
  bool stopping_ = false;                    // guarded by mutex_
};

}  // namespace lapse
