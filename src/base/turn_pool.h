// A thread pool for CPU-bound tasks that may run long. A limited number run; the rest wait for a turn.
//
// New tasks and tasks that have yielded wait in two queues, which get turns alternately. So a short task never waits
// for a long one to end, and a stream of short tasks leaves every second turn to long ones.
//
// The last step of a task, such as sending an answer, often wakes another thread, which takes the core at once. When
// tasks follow each other, such follow-ups are deferred and run together.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/elastic_pool.h"
#include "base/helpers.h"

namespace lapse {

// Threads: any.
// Owns: its threads. The destructor runs what is still queued, then waits for them.
class TurnPool {
 public:
  // A task that has run this long yields its turn if another task is waiting.
  static constexpr int64_t kSlice_ns = 20'000'000;
  // At most this many follow-ups are deferred, and never more than there are tasks waiting. They run once the next task
  // has run for kPutOff_ns. When few tasks wait, the answered client may be the one that sends this thread its next
  // task.
  static constexpr size_t kPutOffMax = 8;
  static constexpr int64_t kPutOff_ns = 200'000;

  // A follow-up. May return a function to call after the last follow-up that runs in the same batch.
  using Last = std::function<std::function<void()>()>;
  using PutOff = std::vector<Last>;

  // The interface of a running task to the pool.
  // Threads: that of the task.
  class Turn : public Helpers {
   public:
    // Call often. Yields the turn if the slice is over and another task is waiting, and returns true after the next
    // turn has begun. Hold no lock that other tasks need.
    bool LetOthers();

    // Runs a follow-up on this thread: at once or, if many tasks are waiting, a little later. For the last step of a
    // task, if it is short and wakes another thread.
    void DoSoon(Last last);

    // Needs a free turn, which means that no task is waiting for one. A helper yields like any task.
    bool TryRun(Help help) override;
    // Gives up the turn during `wait`, so that a task that waits for a helper never takes the helper's turn.
    void Wait(const std::function<void()>& wait) override;

   private:
    friend class TurnPool;
    Turn(TurnPool* pool, PutOff* put_off) : pool_(pool), put_off_(put_off), since_ns_(pool->steady_.NowNs()) {}

    TurnPool* const pool_;
    PutOff* const put_off_;  // belongs to the thread
    int64_t since_ns_;
  };
  using Work = std::function<void(Turn&)>;

  // `turns`: tasks that may run at once. `threads_max`: tasks that may have begun and not ended, at least `turns`.
  TurnPool(const std::string& name, size_t turns, size_t threads_max, const SteadyClock& steady);
  TurnPool(const TurnPool&) = delete;
  TurnPool& operator=(const TurnPool&) = delete;

  void Run(Work work);

 private:
  struct Waiter {
    std::condition_variable wake;
    bool granted = false;
  };

  // Returns false, without running the task, if no turn or no thread is free.
  bool TryRun(Work work);
  void StartThread(Work work);
  // Runs the task, then waiting tasks for as long as it has a turn.
  void Serve(Work work);
  // Passes the turn on. Requires mutex_. A task that had yielded is woken. A new task is returned, and the caller must
  // run it. Without a waiting task the turn becomes free.
  std::optional<Work> PassOn(bool may_begin);

  const SteadyClock& steady_;
  const size_t threads_max_;
  std::mutex mutex_;
  // Guarded by mutex_: free turns. Zero while a task is waiting, unless that task lacks a thread.
  size_t free_;
  size_t begun_ = 0;                // guarded by mutex_: threads that run or wait for a turn
  std::deque<Work> fresh_;          // guarded by mutex_: new tasks, which have no thread yet
  std::deque<Waiter*> long_;        // guarded by mutex_: tasks that have yielded
  bool long_next_ = false;          // guarded by mutex_
  std::atomic<size_t> waiting_{0};  // in both queues; written with mutex_ held
  ElasticPool threads_;             // destroyed first: its threads use everything above
};

}  // namespace lapse
