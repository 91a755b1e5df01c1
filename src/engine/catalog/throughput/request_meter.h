// The meter of one request. Through it the engine asks whether a partition's budget admits the request, and charges
// what the request cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.h"
#include "engine/catalog/throughput/container_budgets.h"
#include "engine/records/prices/meter.h"

namespace lapse::engine {

// Threads: one at a time. Keeps the budgets alive.
class RequestMeter final : public Meter {
 public:
  // Returns Ok if the request may go ahead, and it stays admitted. Fails: kThrottled, and then nothing may be done and
  // retry_after_ms() says when to retry. `partition` is an index into the budgets. `ahead_milli_ru`: the cost of
  // requests that were admitted with it and are not charged yet.
  Status Admit(std::shared_ptr<ContainerBudgets> budgets, size_t partition, int64_t ahead_milli_ru = 0);
  bool admitted() const { return budgets_ != nullptr; }
  int64_t retry_after_ms() const { return retry_after_ms_; }

  // Extends the request to the partitions up to this one, which a page went on into. All of them share its charge.
  void ExtendTo(size_t partition);
  // Without an admission no budget is charged.
  void Charge(int64_t milli_ru) override;
  void ChargeRefused(const Status& refused) override;
  // Multiplies each later charge by this factor.
  void ChargeTimes(int64_t factor) { factor_ = factor; }
  // The total charged.
  int64_t milli_ru() const { return milli_ru_; }

 private:
  std::shared_ptr<ContainerBudgets> budgets_;
  size_t first_ = 0;  // index into the budgets
  size_t last_ = 0;
  int64_t retry_after_ms_ = 0;
  int64_t milli_ru_ = 0;
  int64_t factor_ = 1;
};

}  // namespace lapse::engine
