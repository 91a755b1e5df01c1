// Request units per second of the steady clock, of one partition or of all containers that share a database's
// throughput.
//
// Users go first: a request is admitted while anything is left of the current second, and its cost is taken when it is
// known. A cost beyond what is left becomes a debt that the following seconds pay. The sweeper gets what users left of
// past seconds, so it never competes with them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/clock.h"

namespace lapse::engine {

// Threads: any.
class RequestUnitPool {
 public:
  // In thousandths of a request unit; 0: without limit.
  RequestUnitPool(const SteadyClock& steady, int64_t milli_ru_per_second);

  void SetRate(int64_t milli_ru_per_second);
  bool limited() const { return rate_.load(std::memory_order_relaxed) != 0; }

  // Returns 0 if the request is admitted. Otherwise returns the milliseconds until a request would be admitted if no
  // other came. `ahead_milli_ru`: the cost of what the same client was admitted with and is not charged yet.
  int64_t Admit(int64_t ahead_milli_ru = 0);
  void Charge(int64_t milli_ru);
  // What is left of the current second.
  int64_t Left();
  // What users left of past seconds and no purge has spent yet. Only for observers: takes nothing.
  int64_t LeftOverNow();

  // One consumer of what users leave. What they leave in a second is divided equally among the claims that asked in it.
  // A part that is not spent is kept, up to a second's rate.
  struct Claim {
    int64_t asked_second = -1;
    int64_t accrued_seen = 0;
    int64_t credit = 0;
  };
  // Returns what this claim may spend now. With `wanted`, its credit and what is left over accumulate until they reach
  // `wanted`, even beyond a second's rate.
  int64_t LeftOver(Claim* claim, int64_t wanted);
  void SpendLeftOver(Claim* claim, int64_t milli_ru);

 private:
  void RollLocked();

  const SteadyClock& steady_;
  std::atomic<int64_t> rate_;  // changes with mutex_ held; an unlimited pool takes no lock
  std::mutex mutex_;
  // Guarded by mutex_.
  int64_t second_;         // of the steady clock
  int64_t used_ = 0;       // in that second, including earlier debt
  int64_t forgiven_ = 0;   // of what was used in that second, when the rate was lowered
  int64_t left_over_ = 0;  // of the second before it, and of earlier ones while a claim saves
  int64_t accrued_ = 0;    // one claim's equal share of all that was ever left over
  int64_t claims_ = 0;     // claims that asked in the current second
  int64_t wanted_ = 0;     // the most that any claim wanted in the current second
};

}  // namespace lapse::engine
