// The engine's time: ttl::StoreTime made safe for many threads and durable.
//
// Time moves from one second into the next only after two things: the new second's mark is durable, and no commit that
// was stamped with the old second is still under way. So an answer never shows a second that a restart could take back,
// and a commit never becomes visible in a later second than its `_ts`: no reader can see an item expire and then see it
// again because a slow write revived it. Within a second nothing is locked.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/status.h"
#include "ttl/store_time.h"

namespace lapse::engine {

// Threads: any.
class StoreClock {
 public:
  using Persist = std::function<Status(const ttl::StoreTimeMark&)>;

  StoreClock(const WallClock& wall, const SteadyClock& steady, ttl::StoreTimeLimits limits,
             std::optional<ttl::StoreTimeMark> mark, bool test_clock, Persist persist);
  ~StoreClock();

  // Turns the second over in the background while anyone asks for the time, so that requests need not wait for it.
  void StartTicker();

  // Store time. Read it before the container's state, never after: then a policy change that raised its floors for this
  // moment is either seen, or happened later.
  int64_t NowMs();

  // What NowMs was not long ago, without moving time on: for whoever only wants to know whether it is worth asking.
  int64_t ApproximateMs() const;

  // A commit: while it lives, time stays within the second of now_ms().
  class CommitScope {
   public:
    explicit CommitScope(StoreClock* clock);
    ~CommitScope();
    CommitScope(const CommitScope&) = delete;
    CommitScope& operator=(const CommitScope&) = delete;
    int64_t now_ms() const { return now_ms_; }

   private:
    StoreClock* const clock_;
    int64_t now_ms_;
  };

  // A change of policy: while it lives no commit is under way and time stays within the second of now_ms().
  class ExclusiveScope {
   public:
    explicit ExclusiveScope(StoreClock* clock);
    ~ExclusiveScope();
    ExclusiveScope(const ExclusiveScope&) = delete;
    ExclusiveScope& operator=(const ExclusiveScope&) = delete;
    int64_t now_ms() const { return now_ms_; }

   private:
    StoreClock* const clock_;
    std::unique_lock<std::mutex> lock_;
    int64_t now_ms_;
  };

  // The wall clock is further ahead than allowed; expiry follows the steady clock until Accept.
  bool held() const { return held_.load(std::memory_order_relaxed); }
  int64_t ahead_ms() const { return ahead_ms_.load(std::memory_order_relaxed); }
  // kUnavailable when that could not be made durable: then the clock is as it was.
  Status Accept();

  // The test clock: kForbidden unless it was asked for at start, kInvalidArgument for going back, kUnavailable as
  // above.
  Status Freeze();
  Status Resume();
  Status Advance(int64_t by_ms);
  Status Set(int64_t to_ms);
  bool test_clock() const { return test_clock_; }
  bool frozen() const { return frozen_.load(std::memory_order_relaxed); }

  // Marks that could not be made durable (a failing disk): time goes on all the same.
  int64_t mark_failures() const { return mark_failures_.load(std::memory_order_relaxed); }

 private:
  int64_t SteadyMs() const { return steady_.NowNs() / 1'000'000; }
  int64_t WithinSecond() const;  // never turns the second over
  void EnsureCurrent();
  void TurnOver();  // takes mutex_
  void TurnOverLocked();
  Status SaveMarkLocked(int64_t now_ms);
  void NoteMarkLocked(const Status& persisted);
  void ShowLocked(int64_t now_ms, int64_t steady_ns);
  void CloseGateLocked();
  void OpenGate();
  Status Move(const std::function<Status(int64_t wall_ms, int64_t steady_ns)>& move);
  void TickerLoop();

  const WallClock& wall_;
  const SteadyClock& steady_;
  const bool test_clock_;
  const Persist persist_;

  // Published: time is min(steady + offset_ms_, limit_ms_); beyond the limit the second must be turned over first.
  std::atomic<int64_t> offset_ms_{0};
  std::atomic<int64_t> limit_ms_{0};
  std::atomic<bool> frozen_{false};
  std::atomic<bool> held_{false};
  std::atomic<int64_t> ahead_ms_{0};
  std::atomic<bool> turning_over_{false};
  std::atomic<int64_t> mark_failures_{0};

  std::mutex mutex_;             // turning over, policy changes, test clock
  ttl::StoreTime time_;          // guarded by mutex_
  int64_t durable_second_ = -1;  // guarded by mutex_
  bool mark_fails_ = false;      // guarded by mutex_

  std::mutex gate_mutex_;
  std::condition_variable gate_changed_;
  int commits_under_way_ = 0;  // guarded by gate_mutex_
  bool gate_closed_ = false;   // guarded by gate_mutex_

  std::atomic<bool> used_{false};  // somebody asked for the time since the ticker last looked
  std::atomic<bool> ticker_running_{false};
  std::mutex ticker_mutex_;
  std::condition_variable ticker_wake_;
  bool ticker_stop_ = false;  // guarded by ticker_mutex_
  std::thread ticker_;
};

}  // namespace lapse::engine
