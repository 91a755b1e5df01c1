// Threads for work that may run long and needs a core: some of it runs, the rest waits for its turn.
//
// Work that has not begun and work that had a turn before wait in two queues, and turns go to both alternately. So what
// is short never waits for the end of what is long, and a stream of short work leaves every other turn to the long.
//
// What work does last, such as to send an answer, wakes another thread, which takes the core at once and is done with
// it in no time. Where work follows work, that is done for several of them together.
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
  // Who has run for so long lets others run, if any wait.
  static constexpr int64_t kSlice_ns = 20'000'000;
  // So much of what is to be done soon is put off, but no more than there is work that waits, and until the next work
  // has run for so long. Where little waits, who was answered may be all that this thread would have next.
  static constexpr size_t kPutOffMax = 8;
  static constexpr int64_t kPutOff_ns = 200'000;

  // Returns what is to be done after the last one of those that are done together; empty: nothing.
  using Last = std::function<std::function<void()>()>;
  using PutOff = std::vector<Last>;

  // What a piece of work has while it runs. Threads: that of the work.
  class Turn : public Helpers {
   public:
    // To be called often. Where others wait and the slice is over, it gives the turn away and waits for the next one:
    // true. Hold no lock that others need.
    bool LetOthers();

    // For the last thing that work does, if that is short and wakes others. It runs on this thread: at once or, where
    // much other work waits, a little later.
    void DoSoon(Last last);

    // A helper needs a turn that is free: then nobody waits for one. It lets others run as everyone does.
    bool TryRun(Help help) override;
    // Without the turn: who waits for a helper never keeps it from its own.
    void Wait(const std::function<void()>& wait) override;

   private:
    friend class TurnPool;
    Turn(TurnPool* pool, PutOff* put_off) : pool_(pool), put_off_(put_off), since_ns_(pool->steady_.NowNs()) {}

    TurnPool* const pool_;
    PutOff* const put_off_;  // of the thread
    int64_t since_ns_;
  };
  using Work = std::function<void(Turn&)>;

  // `turns`: so many run at once. `threads_max`: so many have begun and not ended; not fewer than turns.
  TurnPool(const std::string& name, size_t turns, size_t threads_max, const SteadyClock& steady);
  TurnPool(const TurnPool&) = delete;
  TurnPool& operator=(const TurnPool&) = delete;

  void Run(Work work);

 private:
  struct Waiter {
    std::condition_variable wake;
    bool granted = false;
  };

  // False: there is no turn, or no thread.
  bool TryRun(Work work);
  void StartThread(Work work);
  // Runs it, and then what waits, for as long as it has a turn.
  void Serve(Work work);
  // With mutex_ held: gives a turn away. To work that has begun and waits: nothing is left to do. To work that has not
  // begun: whoever calls sees that it runs. To nobody: the turn is free.
  std::optional<Work> PassOn(bool may_begin);

  const SteadyClock& steady_;
  const size_t threads_max_;
  std::mutex mutex_;
  // Guarded by mutex_: turns. None while somebody waits, but for work that waits for a thread.
  size_t free_;
  size_t begun_ = 0;                // guarded by mutex_: threads that run or wait
  std::deque<Work> fresh_;          // guarded by mutex_: had no turn yet, and has no thread
  std::deque<Waiter*> long_;        // guarded by mutex_: gave a turn away
  bool long_next_ = false;          // guarded by mutex_
  std::atomic<size_t> waiting_{0};  // in both queues; written with mutex_ held
  ElasticPool threads_;             // ends first: they use all of the above
};

}  // namespace lapse
