// Tasks that the calling thread runs in order, while idle threads run later ones ahead of it (docs/design/query.md,
// "Several partitions at once").
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "base/helpers.h"
#include "query/exec/scheduling/page_watch.h"

namespace lapse::query::exec {

// Threads: one; helpers work for it. The destructor asks them to stop, and waits until they have.
class ParallelTasks {
 public:
  // Runs a single task with the watch of the calling thread, at most once for each task. Returns false if no further
  // tasks should run ahead.
  using Work = std::function<bool(size_t task, const PageWatch& watch)>;
  // `helpers`: null if there are none. Its arguments must outlive it.
  ParallelTasks(size_t count, Helpers* helpers, const PageWatch& watch, Work work);
  ~ParallelTasks();
  ParallelTasks(const ParallelTasks&) = delete;
  ParallelTasks& operator=(const ParallelTasks&) = delete;

  // Call it for each task in order. Returns true if no thread has begun the task, and the caller must then run it.
  // Otherwise waits until `work` has run it and returns false. While it waits, this thread runs `work` for later tasks.
  bool Claim(size_t task);

 private:
  void CallHelpers();
  void Help(int64_t waited_ns, const std::function<bool()>& let_others);
  // Requires mutex_. Returns the next task for `work`, or count_ if there is none.
  size_t TakeNext();
  // Requires mutex_, and releases it while the task runs.
  void Run(size_t task, const PageWatch& watch, std::unique_lock<std::mutex>* lock);

  const size_t count_;
  Helpers* const helpers_;
  const PageWatch& watch_;
  const Work work_;
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  size_t next_ = 0;         // the first task that no thread has begun
  size_t helping_ = 0;      // number of threads
  bool closed_ = false;     // no further tasks run ahead
  std::vector<bool> done_;  // by `work`
};

}  // namespace lapse::query::exec
