// What may be spent of a container's throughput, written in the plainest way: one second after the other, one partition
// after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/catalog/containers/container.h"

namespace lapse::simulation {

// One partition. All amounts are thousandths of a request unit; a rate of 0 is no limit.
class BudgetModel {
 public:
  BudgetModel(int64_t rate, int64_t steady_ms);

  void SetRate(int64_t rate, int64_t steady_ms);
  void MoveTo(int64_t steady_ms);

  bool limited() const { return rate_ != 0; }
  // How long a user has to wait to be let in, if nobody spends anything meanwhile.
  int64_t WaitMs() const;
  // What is left to users of this second.
  int64_t Left() const;
  // A request that was let in found something, though it may cost more than there is.
  void CheckGranted() const;
  void ChargeUser(int64_t amount);
  // Of purging: from what users left of the seconds that are over.
  void ChargeSweeper(int64_t amount);

 private:
  void TurnSecond();

  int64_t rate_;
  int64_t now_ms_;
  int64_t used_ = 0;       // by users of this second, with the debt from before
  int64_t left_over_ = 0;  // by users of the seconds before; no more than one second is kept
  int64_t granted_;        // by all seconds that have begun
  int64_t peak_rate_;      // of this second
  int64_t forgiven_ = 0;   // of what was used in this second
  int64_t spent_ = 0;      // by anybody
};

// All partitions of one container, from when it was made or the engine was opened.
class ThroughputModel {
 public:
  // `limited`: whether the engine holds anybody to a throughput.
  ThroughputModel(const engine::Container& container, bool limited, int64_t steady_ms);

  void SetThroughput(int ru_per_second, int64_t steady_ms);
  void MoveTo(int64_t steady_ms);

  const BudgetModel& partition(size_t index) const { return partitions_[index]; }
  // A page of a feed is paid by all partitions that it saw; the first bears what cannot be divided.
  void ChargeUser(size_t first, size_t last, int64_t amount);
  // Charges what the container says that was spent on purging since the last time. `known_to_sweeper`: not when the
  // outcome of one of its steps is unknown, which then cost it nothing.
  void ChargeSweeper(const engine::Container& container, bool known_to_sweeper);

 private:
  int64_t RateOf(int ru_per_second) const;

  const bool limited_;
  std::vector<BudgetModel> partitions_;
  std::vector<int64_t> purged_;  // by partition: the amount that was spent on purging
};

}  // namespace lapse::simulation
