#include "engine/catalog/throughput/request_unit_pool.h"

#include <algorithm>

namespace lapse::engine {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kNsPerMs = 1'000'000;

// Seconds of idleness that are counted at most, which keeps the sums small.
constexpr int64_t kIdleSecondsMax = 3600;

}  // namespace

RequestUnitPool::RequestUnitPool(const SteadyClock& steady, int64_t milli_ru_per_second)
    : steady_(steady), rate_(milli_ru_per_second), second_(steady.NowNs() / kNsPerSecond) {}

void RequestUnitPool::SetRate(int64_t milli_ru_per_second) {
  std::lock_guard lock(mutex_);
  RollLocked();
  // Units spent within the old rate are no debt under a lower one: at worst this second is used up. They stay spent if
  // the rate rises again.
  const int64_t debt = std::max<int64_t>(0, used_ - rate_);
  const int64_t granted = used_ - debt + forgiven_;
  used_ = std::min(granted, milli_ru_per_second) + debt;
  forgiven_ = granted + debt - used_;
  rate_ = milli_ru_per_second;
}

int64_t RequestUnitPool::Admit(int64_t ahead_milli_ru) {
  if (!limited()) return 0;
  std::lock_guard lock(mutex_);
  RollLocked();
  const int64_t rate = rate_;
  const int64_t used = used_ + ahead_milli_ru;
  if (used < rate || rate == 0) return 0;
  // Each refill reduces the debt by one second's rate. Units are left again in the second that begins after these
  // refills.
  const int64_t refills = used / rate;
  const int64_t wait_ns = (second_ + refills) * kNsPerSecond - steady_.NowNs();
  return std::max<int64_t>(1, (wait_ns + kNsPerMs - 1) / kNsPerMs);
}

void RequestUnitPool::Charge(int64_t milli_ru) {
  if (!limited()) return;
  std::lock_guard lock(mutex_);
  RollLocked();
  used_ += milli_ru;
}

int64_t RequestUnitPool::Left() {
  std::lock_guard lock(mutex_);
  RollLocked();
  return std::max<int64_t>(0, rate_ - used_);
}

int64_t RequestUnitPool::LeftOverNow() {
  std::lock_guard lock(mutex_);
  RollLocked();
  return left_over_;
}

int64_t RequestUnitPool::LeftOver(Claim* claim, int64_t wanted) {
  std::lock_guard lock(mutex_);
  RollLocked();
  if (claim->asked_second != second_) {
    claim->asked_second = second_;
    ++claims_;
  }
  wanted_ = std::max(wanted_, wanted);
  const int64_t credit = claim->credit + accrued_ - claim->accrued_seen;
  claim->accrued_seen = accrued_;
  claim->credit = std::min(credit, std::max(rate_.load(), wanted));
  return std::min(claim->credit, left_over_);
}

void RequestUnitPool::SpendLeftOver(Claim* claim, int64_t milli_ru) {
  std::lock_guard lock(mutex_);
  left_over_ = std::max<int64_t>(0, left_over_ - milli_ru);
  claim->credit = std::max<int64_t>(0, claim->credit - milli_ru);
}

// Closes the past seconds. Only the first of them had any use; later ones pay its debt, and the sweeper gets what is
// left of them.
void RequestUnitPool::RollLocked() {
  const int64_t now = steady_.NowNs() / kNsPerSecond;
  const int64_t over = std::min(now - second_, kIdleSecondsMax);
  if (over <= 0) return;
  second_ = now;
  forgiven_ = 0;
  const int64_t refill = over * rate_;
  const int64_t left = std::max<int64_t>(0, refill - used_);
  used_ = std::max<int64_t>(0, used_ - refill);
  // Only the last second counts, unless a claim saves for a step that one second cannot pay.
  const bool saving = wanted_ > 0;
  const int64_t gained = saving ? left : std::min(left, rate_.load());
  left_over_ = std::min((saving ? left_over_ : 0) + gained, std::max(rate_.load(), wanted_));
  accrued_ += gained / std::max<int64_t>(1, claims_);
  claims_ = 0;
  wanted_ = 0;
}

}  // namespace lapse::engine
