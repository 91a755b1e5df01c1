// Request units, second by second on the steady clock: of one partition, or of all containers that share a database's
// throughput.
//
// Users go first: a request is let in while something is left of the present second, and what it costs is taken when
// that is known. What costs more than is left is a debt that the following seconds pay. The sweeper gets what users
// left of the seconds that are over, so that it never stands in their way.
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

  // 0: go ahead. Otherwise the milliseconds until a request will be let in, if nobody else comes. `ahead_milli_ru`:
  // what the same client was let in with and is not charged yet.
  int64_t Admit(int64_t ahead_milli_ru = 0);
  void Charge(int64_t milli_ru);
  // Of the present second.
  int64_t Left();
  // What users left of the seconds before, and nobody has purged with yet: for whoever only wants to look.
  int64_t LeftOverNow();

  // One of those that purge on what users left. Each may take an equal part of what they leave in a second, of those
  // that asked in it; a part that is not taken is kept, up to a second's rate.
  struct Claim {
    int64_t asked_second = -1;
    int64_t accrued_seen = 0;
    int64_t credit = 0;
  };
  // What this claim may spend now. With `wanted` its credit and what is left over are kept until they are enough for
  // that, even beyond a second's rate.
  int64_t LeftOver(Claim* claim, int64_t wanted);
  void SpendLeftOver(Claim* claim, int64_t milli_ru);

 private:
  void RollLocked();

  const SteadyClock& steady_;
  std::atomic<int64_t> rate_;  // changes with mutex_ held; who has no limit takes no lock
  std::mutex mutex_;
  // Guarded by mutex_.
  int64_t second_;         // of the steady clock
  int64_t used_ = 0;       // in that second, with the debt from before
  int64_t forgiven_ = 0;   // of what was used in that second, when the rate was lowered
  int64_t left_over_ = 0;  // of the second before it, and of earlier ones while somebody saves
  int64_t accrued_ = 0;    // of what was ever left over, the equal part of one claim
  int64_t claims_ = 0;     // that asked in the present second
  int64_t wanted_ = 0;     // the most that was, in the present second
};

}  // namespace lapse::engine
