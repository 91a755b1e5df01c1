// Turns at the processor, for work that may run long: some of it runs, the rest waits for its turn.
//
// Work that has just come and work that had a turn before wait in two queues, and turns go to both alternately. So what
// is short never waits for the end of what is long, and a stream of short work leaves every other turn to the long.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

#include "base/clock.h"

namespace lapse {

// Threads: any.
class Turns {
 public:
  // Who has run for so long lets others run, if any wait.
  static constexpr int64_t kSlice_ns = 20'000'000;

  // `count`: so many run at once.
  Turns(int count, const SteadyClock& steady) : steady_(steady), free_(count) {}
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  // One piece of work, on one thread: has a turn whenever it runs.
  class Turn {
   public:
    // Waits for a turn. Null: none is needed.
    explicit Turn(Turns* turns);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // To be called often. Where others wait and the slice is over, it gives the turn away and waits for the next one.
    // Hold no lock that others need.
    void LetOthers();

   private:
    Turns* const turns_;
    int64_t since_ns_ = 0;
  };

  // How many wait.
  size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }

 private:
  struct Waiter {
    std::condition_variable granted_wake;
    bool granted = false;
  };
  using Queue = std::deque<Waiter*>;

  void Take(Queue* queue);
  void GiveBack();
  // With mutex_ held: gives free turns to those who wait.
  void Grant();

  const SteadyClock& steady_;
  std::mutex mutex_;
  int free_;                // guarded by mutex_
  Queue fresh_;             // guarded by mutex_: had no turn yet
  Queue long_;              // guarded by mutex_: gave a turn away
  bool long_next_ = false;  // guarded by mutex_
  std::atomic<size_t> waiting_{0};
};

}  // namespace lapse
