// The bill of one request. The engine asks with it whether the budget of a partition lets the request in, and charges
// what the request cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.h"
#include "engine/catalog/throughput/container_budgets.h"
#include "engine/records/prices/meter.h"

namespace lapse::engine {

// Threads: one at a time. Keeps the budgets.
class RequestMeter final : public Meter {
 public:
  // Ok: go ahead. kThrottled: nothing may be done, and retry_after_ms() says when to come again. A request that was let
  // in stays so. `partition` is a place among the budgets. `ahead_milli_ru`: what was let in with it and is not charged
  // yet.
  Status Admit(std::shared_ptr<ContainerBudgets> budgets, size_t partition, int64_t ahead_milli_ru = 0);
  bool admitted() const { return budgets_ != nullptr; }
  int64_t retry_after_ms() const { return retry_after_ms_; }

  // A page went on into the partitions up to this one: all of them share its charge.
  void ExtendTo(size_t partition);
  // Without an admission it is nobody's.
  void Charge(int64_t milli_ru) override;
  void ChargeRefused(const Status& refused) override;
  // From now on each charge is so many times the price.
  void ChargeTimes(int64_t factor) { factor_ = factor; }
  // What was charged.
  int64_t milli_ru() const { return milli_ru_; }

 private:
  std::shared_ptr<ContainerBudgets> budgets_;
  size_t first_ = 0;  // among the budgets
  size_t last_ = 0;
  int64_t retry_after_ms_ = 0;
  int64_t milli_ru_ = 0;
  int64_t factor_ = 1;
};

}  // namespace lapse::engine
