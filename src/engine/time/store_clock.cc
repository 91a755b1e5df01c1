#include "engine/time/store_clock.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"

namespace lapse::engine {
namespace {

constexpr int64_t kSecond_ms = 1000;

// How long after the turn of a second a request still leaves the turning to the ticker, which is on its way.
constexpr int64_t kTickerGrace_ms = 50;

// How far behind time may be shown while another thread is turning the second over; beyond it, wait for that thread.
constexpr int64_t kBehindMax_ms = 1000;

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

int64_t StoreClock::WithinSecond() const {
  if (frozen_.load(std::memory_order_acquire)) return limit_ms_.load(std::memory_order_acquire);
  int64_t now_ms = SteadyMs() + offset_ms_.load(std::memory_order_acquire);
  return std::min(now_ms, limit_ms_.load(std::memory_order_acquire));
}

int64_t StoreClock::NowMs() {
  EnsureCurrent();
  return WithinSecond();
}

int64_t StoreClock::ApproximateMs() const {
  if (frozen_.load(std::memory_order_acquire)) return limit_ms_.load(std::memory_order_acquire);
  return SteadyMs() + offset_ms_.load(std::memory_order_acquire);
}

void StoreClock::EnsureCurrent() {
  if (!used_.load(std::memory_order_relaxed)) used_.store(true, std::memory_order_relaxed);
  if (frozen_.load(std::memory_order_acquire)) return;
  int64_t behind_ms =
      SteadyMs() + offset_ms_.load(std::memory_order_acquire) - limit_ms_.load(std::memory_order_acquire);
  if (behind_ms <= 0) return;
  bool ticker_comes = ticker_running_.load(std::memory_order_relaxed) && behind_ms <= kTickerGrace_ms;
  bool under_way = turning_over_.load(std::memory_order_acquire) && behind_ms <= kBehindMax_ms;
  if (!ticker_comes && !under_way) TurnOver();
}

void StoreClock::TurnOver() {
  std::lock_guard lock(mutex_);
  bool done_meanwhile =
      SteadyMs() + offset_ms_.load(std::memory_order_acquire) <= limit_ms_.load(std::memory_order_acquire);
  if (done_meanwhile || frozen_.load(std::memory_order_relaxed)) return;
  turning_over_.store(true, std::memory_order_release);
  TurnOverLocked();
  turning_over_.store(false, std::memory_order_release);
}

void StoreClock::TurnOverLocked() {
  CloseGateLocked();
  int64_t steady_ns = steady_.NowNs();
  int64_t now_ms = time_.NowMs(wall_.NowMs(), steady_ns);
  // Reads go on when it fails, and what they see must go on expiring.
  if (now_ms / kSecond_ms != durable_second_) static_cast<void>(SaveMarkLocked(now_ms));
  ShowLocked(now_ms, steady_ns);
  OpenGate();
}

Status StoreClock::SaveMarkLocked(int64_t now_ms) {
  Status persisted = persist_(time_.Mark());
  // What a failed one left there is not known.
  durable_second_ = persisted.ok() ? now_ms / kSecond_ms : -1;
  NoteMarkLocked(persisted);
  return persisted;
}

// One line when marks begin to fail and one when they work again: there is a mark every second.
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
  // The order of the stores keeps time from being seen beyond a freeze, or going back after one.
  if (time_.frozen()) {
    limit_ms_.store(now_ms, std::memory_order_release);
    frozen_.store(true, std::memory_order_release);
  } else {
    frozen_.store(false, std::memory_order_release);
    offset_ms_.store(now_ms - steady_ns / 1'000'000, std::memory_order_release);
    limit_ms_.store(EndOfSecond(now_ms), std::memory_order_release);
  }
}

void StoreClock::CloseGateLocked() {
  std::unique_lock gate(gate_mutex_);
  gate_closed_ = true;
  gate_changed_.wait(gate, [this] { return commits_under_way_ == 0; });
}

void StoreClock::OpenGate() {
  {
    std::lock_guard gate(gate_mutex_);
    gate_closed_ = false;
  }
  gate_changed_.notify_all();
}

StoreClock::CommitScope::CommitScope(StoreClock* clock) : clock_(clock) {
  // Turn the second over first: inside the scope it would wait for itself.
  clock_->EnsureCurrent();
  std::unique_lock gate(clock_->gate_mutex_);
  clock_->gate_changed_.wait(gate, [this] { return !clock_->gate_closed_; });
  ++clock_->commits_under_way_;
  now_ms_ = clock_->WithinSecond();
}

StoreClock::CommitScope::~CommitScope() {
  bool last = false;
  {
    std::lock_guard gate(clock_->gate_mutex_);
    last = --clock_->commits_under_way_ == 0;
  }
  if (last) clock_->gate_changed_.notify_all();
}

StoreClock::ExclusiveScope::ExclusiveScope(StoreClock* clock) : clock_(clock) {
  clock_->EnsureCurrent();
  lock_ = std::unique_lock(clock_->mutex_);
  clock_->CloseGateLocked();
  now_ms_ = clock_->WithinSecond();
}

StoreClock::ExclusiveScope::~ExclusiveScope() {
  clock_->OpenGate();
}

// Nobody may have seen time stand where a restart would not find it again: unlike a turn of the second, a move that
// cannot be kept is not made.
Status StoreClock::Move(const std::function<Status(int64_t, int64_t)>& move) {
  std::lock_guard lock(mutex_);
  CloseGateLocked();
  int64_t wall_ms = wall_.NowMs();
  int64_t steady_ns = steady_.NowNs();
  const ttl::StoreTime before = time_;
  Status moved = move(wall_ms, steady_ns);
  if (moved.ok()) {
    int64_t now_ms = time_.NowMs(wall_ms, steady_ns);
    if (Status saved = SaveMarkLocked(now_ms); saved.ok()) {
      ShowLocked(now_ms, steady_ns);
    } else {
      moved = Status(Code::kUnavailable, "the clock stays as it was, it could not be kept: " + saved.message());
      time_ = before;
      // What failed may be on the disk all the same, and must not come up at the next start.
      static_cast<void>(SaveMarkLocked(time_.Mark().high_water_ms));
    }
  }
  OpenGate();
  return moved;
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
  ticker_running_.store(true);
  ticker_ = std::thread([this] { TickerLoop(); });
}

// Sleeps to the next turn of the second; while nobody asks for the time it sleeps on, and the first to ask after that
// turns the second over itself.
void StoreClock::TickerLoop() {
  std::unique_lock lock(ticker_mutex_);
  while (!ticker_stop_) {
    if (!used_.exchange(false, std::memory_order_relaxed)) {
      ticker_running_.store(false, std::memory_order_relaxed);
      ticker_wake_.wait_for(lock, std::chrono::seconds(1));
      ticker_running_.store(true, std::memory_order_relaxed);
      continue;
    }
    int64_t left_ms =
        limit_ms_.load(std::memory_order_acquire) + 1 - (SteadyMs() + offset_ms_.load(std::memory_order_acquire));
    if (left_ms > 0) ticker_wake_.wait_for(lock, std::chrono::milliseconds(std::min(left_ms, kSecond_ms)));
    if (ticker_stop_) break;
    lock.unlock();
    TurnOver();
    lock.lock();
  }
}

}  // namespace lapse::engine
