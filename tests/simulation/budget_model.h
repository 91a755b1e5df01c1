// What may be spent of a container's throughput, computed in the plainest way: second by second, partition by
// partition.
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
  // How long a user has to wait to be admitted, if nothing is spent meanwhile.
  int64_t WaitMs() const;
  // What this second leaves to users.
  int64_t Left() const;
  // Checks that an admitted request found something to spend, though it may cost more than that.
  void CheckGranted() const;
  void ChargeUser(int64_t amount);
  // Charges purging, which spends what users left of past seconds.
  void ChargeSweeper(int64_t amount);

 private:
  void TurnSecond();

  int64_t rate_;
  int64_t now_ms_;
  int64_t used_ = 0;       // by users in this second, including earlier debt
  int64_t left_over_ = 0;  // by users in past seconds; at most one second's worth is kept
  int64_t granted_;        // by all seconds that have begun
  int64_t peak_rate_;      // of this second
  int64_t forgiven_ = 0;   // of what was used in this second
  int64_t spent_ = 0;      // by users and the sweeper
};

// All partitions of one container, since it was created or the engine was opened.
class ThroughputModel {
 public:
  // `limited`: whether the engine enforces throughputs.
  ThroughputModel(const engine::Container& container, bool limited, int64_t steady_ms);

  void SetThroughput(int ru_per_second, int64_t steady_ms);
  void MoveTo(int64_t steady_ms);

  const BudgetModel& partition(size_t index) const { return partitions_[index]; }
  // Charges a page of a feed to all partitions that it read; the first one bears the remainder.
  void ChargeUser(size_t first, size_t last, int64_t amount);
  // Charges what the container reports as spent on purging since the last call. `known_to_sweeper`: false if the
  // outcome of one of its steps is unknown; the sweeper then paid nothing for that step.
  void ChargeSweeper(const engine::Container& container, bool known_to_sweeper);

 private:
  int64_t RateOf(int ru_per_second) const;

  const bool limited_;
  std::vector<BudgetModel> partitions_;
  std::vector<int64_t> purged_;  // by partition: the amount spent on purging
};

}  // namespace lapse::simulation
