// The engine's time: ttl::StoreTime, made thread-safe and durable. See docs/design/time.md for the reasoning.
//
// Time enters a new second only after that second's mark is durable. So a restart never goes back behind a second that
// an answer has shown. If the disk does not take the mark within a second, time moves on without it. The ticker's
// thread advances the second. Meanwhile a reader sees the end of the old second and does not wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/status.h"
#include "ttl/store_time.h"

namespace lapse::engine {

class MarkKeeper;

// Holds time still for readers: they see no time later than the end of the second in which the commit in progress was
// stamped. No reader waits. Threads: any may read; one at a time may hold it (HeldSecond).
class SecondHold {
 public:
  // `now_ms` must have been read from the clock before the call.
  int64_t Limit(int64_t now_ms) const { return std::min(now_ms, until_ms_.load(std::memory_order_seq_cst)); }

 private:
  friend class HeldSecond;
  static constexpr int64_t kFree = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> until_ms_{kFree};
};

// Threads: any.
class StoreClock {
 public:
  using Persist = std::function<Status(const ttl::StoreTimeMark&)>;

  StoreClock(const WallClock& wall, const SteadyClock& steady, ttl::StoreTimeLimits limits,
             std::optional<ttl::StoreTimeMark> mark, bool test_clock, Persist persist);
  ~StoreClock();

  // Advances the second in the background while there are readers, so that requests need not wait for it.
  void StartTicker();

  // Returns the store time. If no ticker runs, or nothing has read the time for a while, the caller advances the second
  // and waits for the disk. Read the time before a container's state, never after. Then a policy change that raised its
  // floors for this moment is either visible or happened later.
  int64_t NowMs();
  // The same for callers that must not wait. Returns nullopt if NowMs would wait.
  std::optional<int64_t> TryNowMs();

  // Returns a recent result of NowMs, without advancing time. For callers that decide whether NowMs is worth calling.
  int64_t ApproximateMs() const;

  // The wall clock is further ahead than allowed; expiry follows the steady clock until Accept.
  bool held() const { return held_.load(std::memory_order_relaxed); }
  int64_t ahead_ms() const { return ahead_ms_.load(std::memory_order_relaxed); }
  // Fails: kUnavailable if the change could not be made durable; the clock is then unchanged.
  Status Accept();

  // The test clock. Fails: kForbidden unless it was enabled at start; kInvalidArgument for going back; kUnavailable as
  // above. When a call returns, no commit of an earlier second is in progress: every reader sees the new time.
  Status Freeze();
  Status Resume();
  Status Advance(int64_t by_ms);
  Status Set(int64_t to_ms);
  bool test_clock() const { return test_clock_; }
  bool frozen() const { return frozen_.load(std::memory_order_relaxed); }

  // Marks that were not durable in time because of a failing disk. Time moves on regardless.
  int64_t mark_failures() const { return mark_failures_.load(std::memory_order_relaxed); }

 private:
  friend class HeldSecond;
  enum class Patience : uint8_t { kBounded, kUntilDone };

  int64_t SteadyMs() const { return steady_.NowNs() / 1'000'000; }
  int64_t ShownMs();         // never advances the second
  int64_t BehindMs() const;  // how far time is ahead of the shown time
  bool NeedsTurn() const;
  void TurnOver();     // or waits for the turn in progress
  void TurnOverNow();  // takes mutex_
  void TurnOverLocked();
  Status SaveMarkLocked(int64_t now_ms, Patience patience);
  void NoteMarkLocked(const Status& persisted);
  void ShowLocked(int64_t now_ms, int64_t steady_ns);
  Status Move(const std::function<Status(int64_t wall_ms, int64_t steady_ns)>& move);
  // Waits until no HeldSecond of an earlier second is left.
  void WaitForHolders(int64_t second);
  void TickerLoop();

  const WallClock& wall_;
  const SteadyClock& steady_;
  const bool test_clock_;
  const Persist persist_;
  std::unique_ptr<MarkKeeper> keeper_;  // created with the ticker

  // Published: time is min(steady + offset_ms_, limit_ms_). Beyond the limit, the second must be advanced first. A
  // frozen clock has an offset that is always beyond its limit.
  std::atomic<int64_t> offset_ms_{0};
  std::atomic<int64_t> limit_ms_{0};
  std::atomic<int64_t> latest_ms_{0};  // the latest time shown; for the test clock only
  std::atomic<bool> frozen_{false};
  std::atomic<bool> held_{false};
  std::atomic<int64_t> ahead_ms_{0};
  std::atomic<bool> turning_over_{false};
  std::atomic<int64_t> mark_failures_{0};

  std::mutex turn_mutex_;  // never held across a disk access
  std::condition_variable turned_;
  bool turning_ = false;  // guarded by turn_mutex_; a thread is advancing the second
  uint64_t turns_ = 0;    // guarded by turn_mutex_

  std::mutex mutex_;             // serializes turns of the second and the test clock
  ttl::StoreTime time_;          // guarded by mutex_
  int64_t durable_second_ = -1;  // guarded by mutex_
  bool mark_fails_ = false;      // guarded by mutex_

  // Held while a new second is shown, and while a moment is stamped. Never held across a disk access.
  std::mutex holders_mutex_;
  std::condition_variable holder_ended_;
  std::multiset<int64_t> held_seconds_;  // guarded by holders_mutex_

  std::atomic<bool> used_{false};  // the time was read since the ticker last checked
  std::atomic<bool> ticker_on_duty_{false};
  std::mutex ticker_mutex_;
  std::condition_variable ticker_wake_;
  bool ticker_stop_ = false;  // guarded by ticker_mutex_
  std::thread ticker_;
};

// The moment of a commit or of a policy change. While it lives, readers under `hold` stay within the second of
// now_ms().
class HeldSecond {
 public:
  HeldSecond(StoreClock* clock, SecondHold* hold);
  ~HeldSecond();
  HeldSecond(const HeldSecond&) = delete;
  HeldSecond& operator=(const HeldSecond&) = delete;

  int64_t now_ms() const { return now_ms_; }

 private:
  StoreClock* const clock_;
  SecondHold* const hold_;
  int64_t now_ms_ = 0;
};

}  // namespace lapse::engine
