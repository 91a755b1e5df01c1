#include "tests/simulation/budget_model.h"

#include <algorithm>
#include <string>

#include "engine/shard/partitions/partition.h"
#include "tests/simulation/difference.h"

namespace lapse::simulation {
namespace {

constexpr int64_t kMsPerSecond = 1000;

}  // namespace

BudgetModel::BudgetModel(int64_t rate, int64_t steady_ms)
    : rate_(rate), now_ms_(steady_ms), granted_(rate), peak_rate_(rate) {}

void BudgetModel::SetRate(int64_t rate, int64_t steady_ms) {
  MoveTo(steady_ms);
  // A second grants its greatest rate, once.
  granted_ += std::max<int64_t>(0, rate - peak_rate_);
  peak_rate_ = std::max(peak_rate_, rate);
  // What this second has granted so far is no debt under a lower rate, and is not granted again under a higher one.
  const int64_t debt = std::max<int64_t>(0, used_ - rate_);
  const int64_t within = used_ - debt + forgiven_;
  used_ = debt + std::min(within, rate);
  forgiven_ = within - std::min(within, rate);
  rate_ = rate;
}

void BudgetModel::MoveTo(int64_t steady_ms) {
  for (int64_t second = now_ms_ / kMsPerSecond; second < steady_ms / kMsPerSecond; ++second) TurnSecond();
  now_ms_ = steady_ms;
}

void BudgetModel::TurnSecond() {
  left_over_ = std::min(left_over_ + std::max<int64_t>(0, rate_ - used_), rate_);
  used_ = std::max<int64_t>(0, used_ - rate_);
  granted_ += rate_;
  peak_rate_ = rate_;
  forgiven_ = 0;
}

int64_t BudgetModel::WaitMs() const {
  if (!limited()) return 0;
  BudgetModel later = *this;
  while (later.used_ >= later.rate_) later.MoveTo((later.now_ms_ / kMsPerSecond + 1) * kMsPerSecond);
  return later.now_ms_ - now_ms_;
}

int64_t BudgetModel::Left() const {
  return std::max<int64_t>(0, rate_ - used_);
}

void BudgetModel::CheckGranted() const {
  if (limited() && spent_ >= granted_) Fail("a request was let in when all that the throughput grants was spent");
}

void BudgetModel::ChargeUser(int64_t amount) {
  if (!limited()) return;
  used_ += amount;
  spent_ += amount;
}

void BudgetModel::ChargeSweeper(int64_t amount) {
  if (!limited() || amount == 0) return;
  if (amount > left_over_) {
    Fail("purging cost " + std::to_string(amount) + " and users left " + std::to_string(left_over_));
  }
  left_over_ -= amount;
  spent_ += amount;
}

ThroughputModel::ThroughputModel(const engine::Container& container, bool limited, int64_t steady_ms)
    : limited_(limited), purged_(container.partitions().size()) {
  partitions_.assign(purged_.size(), BudgetModel(0, steady_ms));
  SetThroughput(container.state()->definition.throughput.ru_per_second(), steady_ms);
  ChargeSweeper(container, false);
}

int64_t ThroughputModel::RateOf(int ru_per_second) const {
  return limited_ ? int64_t{ru_per_second} * 1000 / static_cast<int64_t>(partitions_.size()) : 0;
}

void ThroughputModel::SetThroughput(int ru_per_second, int64_t steady_ms) {
  for (BudgetModel& partition : partitions_) partition.SetRate(RateOf(ru_per_second), steady_ms);
}

void ThroughputModel::MoveTo(int64_t steady_ms) {
  for (BudgetModel& partition : partitions_) partition.MoveTo(steady_ms);
}

void ThroughputModel::ChargeUser(size_t first, size_t last, int64_t amount) {
  const auto parts = static_cast<int64_t>(last - first + 1);
  for (size_t i = first; i <= last; ++i) {
    partitions_[i].ChargeUser(amount / parts + (i == first ? amount % parts : 0));
  }
}

void ThroughputModel::ChargeSweeper(const engine::Container& container, bool known_to_sweeper) {
  for (size_t i = 0; i < purged_.size(); ++i) {
    const int64_t purged = container.partitions()[i]->tally().purged.milli_ru;
    if (known_to_sweeper) partitions_[i].ChargeSweeper(purged - purged_[i]);
    purged_[i] = purged;
  }
}

}  // namespace lapse::simulation
