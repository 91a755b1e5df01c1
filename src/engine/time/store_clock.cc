#include "engine/time/store_clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "engine/time/mark_keeper.h"

namespace lapse::engine {
namespace {

constexpr int64_t kSecond_ms = 1000;

// For this long after a second is due, requests leave advancing it to the ticker, which is about to wake.
constexpr int64_t kTickerGrace_ms = 50;

// Maximum time that the turn of a second waits for its mark. After that, time moves on without it: a hanging disk must
// not keep items from expiring.
constexpr std::chrono::milliseconds kMarkPatience{1000};

// Always beyond the limit of a frozen clock.
constexpr int64_t kFrozenOffset_ms = 2 * ttl::kStoreTimeMax_ms;

int64_t EndOfSecond(int64_t now_ms) {
  return now_ms / kSecond_ms * kSecond_ms + kSecond_ms - 1;
}

}  // namespace

StoreClock::StoreClock(const WallClock& wall, const SteadyClock& steady, ttl::StoreTimeLimits limits,
                       std::optional<ttl::StoreTimeMark> mark, bool test_clock, Persist persist)
    : wall_(wall),
      steady_(steady),
      test_clock_(test_clock),
      persist_(std::move(persist)),
      time_(limits, mark, test_clock, wall.NowMs(), steady.NowNs()) {
  std::lock_guard lock(mutex_);
  TurnOverLocked();
}

StoreClock::~StoreClock() {
  if (ticker_.joinable()) {
    {
      std::lock_guard lock(ticker_mutex_);
      ticker_stop_ = true;
    }
    ticker_wake_.notify_all();
    ticker_.join();
  }
}

int64_t StoreClock::ShownMs() {
  const int64_t limit_ms = limit_ms_.load(std::memory_order_seq_cst);
  const int64_t now_ms = std::min(SteadyMs() + offset_ms_.load(std::memory_order_seq_cst), limit_ms);
  if (!test_clock_) return now_ms;
  // When a test moves the clock, two threads may read it with different offsets.
  int64_t latest_ms = latest_ms_.load(std::memory_order_relaxed);
  while (latest_ms < now_ms && !latest_ms_.compare_exchange_weak(latest_ms, now_ms, std::memory_order_relaxed)) {
  }
  return std::max(latest_ms, now_ms);
}

int64_t StoreClock::BehindMs() const {
  return ApproximateMs() - limit_ms_.load(std::memory_order_seq_cst);
}

int64_t StoreClock::ApproximateMs() const {
  if (frozen_.load(std::memory_order_acquire)) return limit_ms_.load(std::memory_order_seq_cst);
  return SteadyMs() + offset_ms_.load(std::memory_order_seq_cst);
}

bool StoreClock::NeedsTurn() const {
  const int64_t behind_ms = BehindMs();
  if (behind_ms <= 0) return false;
  const bool ticker_comes = ticker_on_duty_.load(std::memory_order_relaxed) && behind_ms <= kTickerGrace_ms;
  return !ticker_comes && !turning_over_.load(std::memory_order_acquire);
}

int64_t StoreClock::NowMs() {
  if (!used_.load(std::memory_order_relaxed)) used_.store(true, std::memory_order_relaxed);
  if (NeedsTurn()) TurnOver();
  return ShownMs();
}

std::optional<int64_t> StoreClock::TryNowMs() {
  if (!used_.load(std::memory_order_relaxed)) used_.store(true, std::memory_order_relaxed);
  if (NeedsTurn()) return std::nullopt;
  return ShownMs();
}

void StoreClock::TurnOver() {
  std::unique_lock turn(turn_mutex_);
  if (turning_) {
    // Waits for the turn in progress only. While the disk hangs, the next turn follows at once, so waiting for a pause
    // between turns would take for as long as the disk hangs.
    turned_.wait(turn, [this, waits_for = turns_] { return turns_ != waits_for; });
    return;
  }
  turning_ = true;
  turn.unlock();
  TurnOverNow();
  turn.lock();
  turning_ = false;
  ++turns_;
  turned_.notify_all();
}

void StoreClock::TurnOverNow() {
  // While the clock is being moved, time stands still.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || BehindMs() <= 0) return;
  turning_over_.store(true, std::memory_order_release);
  TurnOverLocked();
  turning_over_.store(false, std::memory_order_release);
}

void StoreClock::TurnOverLocked() {
  int64_t steady_ns = steady_.NowNs();
  int64_t now_ms = time_.NowMs(wall_.NowMs(), steady_ns);
  // The error is ignored: reads continue, and items must still expire.
  if (now_ms / kSecond_ms != durable_second_) static_cast<void>(SaveMarkLocked(now_ms, Patience::kBounded));
  ShowLocked(now_ms, steady_ns);
}

Status StoreClock::SaveMarkLocked(int64_t now_ms, Patience patience) {
  Status persisted;
  if (keeper_ == nullptr) {
    persisted = persist_(time_.Mark());
  } else if (patience == Patience::kBounded) {
    persisted = keeper_->Save(time_.Mark(), kMarkPatience);
  } else {
    persisted = keeper_->Save(time_.Mark(), std::nullopt);
  }
  // It is unknown which mark a failed write left.
  durable_second_ = persisted.ok() ? now_ms / kSecond_ms : -1;
  NoteMarkLocked(persisted);
  return persisted;
}

// Logs one line when marks begin to fail, and one when they succeed again: there is a mark every second.
void StoreClock::NoteMarkLocked(const Status& persisted) {
  if (!persisted.ok()) mark_failures_.fetch_add(1, std::memory_order_relaxed);
  if (mark_fails_ == !persisted.ok()) return;
  mark_fails_ = !persisted.ok();
  if (mark_fails_) {
    Log(LogLevel::kWarn, "clock mark not durable", {{"error", persisted.ToString()}});
  } else {
    Log(LogLevel::kInfo, "clock mark durable again");
  }
}

void StoreClock::ShowLocked(int64_t now_ms, int64_t steady_ns) {
  bool was_held = held_.exchange(time_.held(), std::memory_order_relaxed);
  ahead_ms_.store(time_.ahead_ms(), std::memory_order_relaxed);
  if (time_.held() && !was_held) {
    Log(LogLevel::kError,
        "wall clock jumped ahead and is not followed; nothing expires by it until `lapse clock accept`",
        {{"ahead_ms", time_.ahead_ms()}});
  } else if (was_held && !time_.held()) {
    Log(LogLevel::kInfo, "wall clock is followed again");
  }
  std::lock_guard lock(holders_mutex_);
  // The order of these stores keeps time from appearing to go back.
  frozen_.store(time_.frozen(), std::memory_order_release);
  if (time_.frozen()) {
    limit_ms_.store(now_ms, std::memory_order_seq_cst);
    offset_ms_.store(kFrozenOffset_ms, std::memory_order_seq_cst);
  } else {
    offset_ms_.store(now_ms - steady_ns / 1'000'000, std::memory_order_seq_cst);
    limit_ms_.store(EndOfSecond(now_ms), std::memory_order_seq_cst);
  }
}

// The second advances under the same lock. So if a reader sees a later second than this one, the commit was stamped
// before that second was shown. The reader checks the hold after the clock, so it sees the hold, too.
HeldSecond::HeldSecond(StoreClock* clock, SecondHold* hold) : clock_(clock), hold_(hold) {
  clock_->NowMs();  // advances the second if due; not under the lock
  std::lock_guard lock(clock_->holders_mutex_);
  now_ms_ = clock_->ShownMs();
  hold_->until_ms_.store(EndOfSecond(now_ms_), std::memory_order_seq_cst);
  clock_->held_seconds_.insert(now_ms_ / kSecond_ms);
}

HeldSecond::~HeldSecond() {
  hold_->until_ms_.store(SecondHold::kFree, std::memory_order_seq_cst);
  {
    std::lock_guard lock(clock_->holders_mutex_);
    clock_->held_seconds_.erase(clock_->held_seconds_.find(now_ms_ / kSecond_ms));
  }
  clock_->holder_ended_.notify_all();
}

void StoreClock::WaitForHolders(int64_t second) {
  std::unique_lock lock(holders_mutex_);
  holder_ended_.wait(lock, [&] { return held_seconds_.empty() || *held_seconds_.begin() >= second; });
}

// A reader must not see a time that a restart would lose. So, unlike a turn of the second, a move whose mark cannot be
// saved is not made.
Status StoreClock::Move(const std::function<Status(int64_t, int64_t)>& move) {
  std::unique_lock lock(mutex_);
  int64_t wall_ms = wall_.NowMs();
  int64_t steady_ns = steady_.NowNs();
  const ttl::StoreTime before = time_;
  LAPSE_RETURN_IF_ERROR(move(wall_ms, steady_ns));
  int64_t now_ms = time_.NowMs(wall_ms, steady_ns);
  // Until the mark is durable, readers stay in the shown second and do not wait.
  turning_over_.store(true, std::memory_order_release);
  const Status saved = SaveMarkLocked(now_ms, Patience::kUntilDone);
  if (saved.ok()) {
    ShowLocked(now_ms, steady_ns);
  } else {
    time_ = before;
    // The failed write may have reached the disk, and must not take effect at the next start.
    static_cast<void>(SaveMarkLocked(time_.Mark().high_water_ms, Patience::kUntilDone));
  }
  turning_over_.store(false, std::memory_order_release);
  if (!saved.ok()) {
    return {Code::kUnavailable, "the clock stays as it was, it could not be kept: " + saved.message()};
  }
  lock.unlock();
  WaitForHolders(now_ms / kSecond_ms);
  return Status::Ok();
}

Status StoreClock::Accept() {
  return Move([this](int64_t wall_ms, int64_t steady_ns) {
    time_.Accept(wall_ms, steady_ns);
    return Status::Ok();
  });
}

Status StoreClock::Freeze() {
  return Move([this](int64_t wall_ms, int64_t steady_ns) { return time_.Freeze(wall_ms, steady_ns); });
}

Status StoreClock::Resume() {
  return Move([this](int64_t wall_ms, int64_t steady_ns) { return time_.Resume(wall_ms, steady_ns); });
}

Status StoreClock::Advance(int64_t by_ms) {
  return Move([&](int64_t wall_ms, int64_t steady_ns) { return time_.Advance(by_ms, wall_ms, steady_ns); });
}

Status StoreClock::Set(int64_t to_ms) {
  return Move([&](int64_t wall_ms, int64_t steady_ns) { return time_.Set(to_ms, wall_ms, steady_ns); });
}

void StoreClock::StartTicker() {
  keeper_ = std::make_unique<MarkKeeper>(persist_);
  ticker_on_duty_.store(true);
  ticker_ = std::thread([this] { TickerLoop(); });
}

// Sleeps until the next turn of the second. While nothing reads the time, it keeps sleeping, and the next reader
// advances the second itself.
void StoreClock::TickerLoop() {
  std::unique_lock lock(ticker_mutex_);
  while (!ticker_stop_) {
    if (!used_.exchange(false, std::memory_order_relaxed)) {
      ticker_on_duty_.store(false, std::memory_order_relaxed);
      ticker_wake_.wait_for(lock, std::chrono::seconds(1));
      ticker_on_duty_.store(true, std::memory_order_relaxed);
      continue;
    }
    int64_t left_ms = 1 - BehindMs();
    if (left_ms > 0) ticker_wake_.wait_for(lock, std::chrono::milliseconds(std::min(left_ms, kSecond_ms)));
    if (ticker_stop_) break;
    lock.unlock();
    TurnOver();
    lock.lock();
  }
}

}  // namespace lapse::engine
