// The engine's time: ttl::StoreTime made safe for many threads and durable. docs/design/time.md has the argument.
//
// Time moves into a new second after the second's mark is durable, so a restart does not take back a second that an
// answer has shown. A disk that does not take the mark within a second does not stop time. The ticker's thread turns
// the second over; whoever reads the time meanwhile sees the end of the old one and does not wait.
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

// Holds time still for those who read under it: they see no later time than the end of the second in which a commit
// under way was stamped. Nobody waits for it. Threads: any may look; one at a time holds it (HeldSecond).
class SecondHold {
 public:
  // Call it with a time that was read from the clock before.
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

  // Turns the second over in the background while anyone asks for the time, so that requests need not wait for it.
  void StartTicker();

  // Store time. Waits for the disk when nobody asked for the time for a while, or where no ticker runs: then the caller
  // turns the second over. Read it before a container's state, never after: then a policy change that raised its
  // floors for this moment is either seen, or happened later.
  int64_t NowMs();
  // The same for those who must not wait; nullopt: NowMs would.
  std::optional<int64_t> TryNowMs();

  // What NowMs was not long ago, without moving time on: for whoever only wants to know whether it is worth asking.
  int64_t ApproximateMs() const;

  // The wall clock is further ahead than allowed; expiry follows the steady clock until Accept.
  bool held() const { return held_.load(std::memory_order_relaxed); }
  int64_t ahead_ms() const { return ahead_ms_.load(std::memory_order_relaxed); }
  // kUnavailable when that could not be made durable: then the clock is as it was.
  Status Accept();

  // The test clock: kForbidden unless it was asked for at start, kInvalidArgument for going back, kUnavailable as
  // above. When they return, no commit of an earlier second is under way any more: everybody sees the new time.
  Status Freeze();
  Status Resume();
  Status Advance(int64_t by_ms);
  Status Set(int64_t to_ms);
  bool test_clock() const { return test_clock_; }
  bool frozen() const { return frozen_.load(std::memory_order_relaxed); }

  // Marks that could not be made durable in time (a failing disk): time goes on all the same.
  int64_t mark_failures() const { return mark_failures_.load(std::memory_order_relaxed); }

 private:
  friend class HeldSecond;
  enum class Patience : uint8_t { kBounded, kUntilDone };

  int64_t SteadyMs() const { return steady_.NowNs() / 1'000'000; }
  int64_t ShownMs();         // never turns the second over
  int64_t BehindMs() const;  // by how much time is ahead of what is shown
  bool NeedsTurn() const;
  void TurnOver();     // or waits for the turn that is under way
  void TurnOverNow();  // takes mutex_
  void TurnOverLocked();
  Status SaveMarkLocked(int64_t now_ms, Patience patience);
  void NoteMarkLocked(const Status& persisted);
  void ShowLocked(int64_t now_ms, int64_t steady_ns);
  Status Move(const std::function<Status(int64_t wall_ms, int64_t steady_ns)>& move);
  // Returns when no HeldSecond of an earlier second is left.
  void WaitForHolders(int64_t second);
  void TickerLoop();

  const WallClock& wall_;
  const SteadyClock& steady_;
  const bool test_clock_;
  const Persist persist_;
  std::unique_ptr<MarkKeeper> keeper_;  // with the ticker

  // Published: time is min(steady + offset_ms_, limit_ms_); beyond the limit the second must be turned over first. A
  // frozen clock has an offset that is always beyond its limit.
  std::atomic<int64_t> offset_ms_{0};
  std::atomic<int64_t> limit_ms_{0};
  std::atomic<int64_t> latest_ms_{0};  // the latest time that was shown; for the test clock alone
  std::atomic<bool> frozen_{false};
  std::atomic<bool> held_{false};
  std::atomic<int64_t> ahead_ms_{0};
  std::atomic<bool> turning_over_{false};
  std::atomic<int64_t> mark_failures_{0};

  std::mutex turn_mutex_;  // never held across a disk access
  std::condition_variable turned_;
  bool turning_ = false;  // guarded by turn_mutex_: somebody turns the second over
  uint64_t turns_ = 0;    // guarded by turn_mutex_

  std::mutex mutex_;             // turning over, the test clock
  ttl::StoreTime time_;          // guarded by mutex_
  int64_t durable_second_ = -1;  // guarded by mutex_
  bool mark_fails_ = false;      // guarded by mutex_

  // A new second is shown, and a moment is stamped, under this lock. It is never held across a disk access.
  std::mutex holders_mutex_;
  std::condition_variable holder_ended_;
  std::multiset<int64_t> held_seconds_;  // guarded by holders_mutex_

  std::atomic<bool> used_{false};  // somebody asked for the time since the ticker last looked
  std::atomic<bool> ticker_on_duty_{false};
  std::mutex ticker_mutex_;
  std::condition_variable ticker_wake_;
  bool ticker_stop_ = false;  // guarded by ticker_mutex_
  std::thread ticker_;
};

// The moment of a commit, or of a change of policy. While it lives, those who read under `hold` stay within the second
// of now_ms().
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
