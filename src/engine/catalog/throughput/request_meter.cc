#include "engine/catalog/throughput/request_meter.h"

#include <algorithm>
#include <utility>

#include "engine/records/prices/prices.h"

namespace lapse::engine {

Status RequestMeter::Admit(std::shared_ptr<ContainerBudgets> budgets, size_t partition, int64_t ahead_milli_ru) {
  if (admitted()) return Status::Ok();
  retry_after_ms_ = budgets->by_partition[partition]->Admit(ahead_milli_ru);
  if (retry_after_ms_ > 0) {
    budgets->usage.throttled.Add();
    return {Code::kThrottled, "the request units of this second are used up"};
  }
  first_ = last_ = partition;
  budgets_ = std::move(budgets);
  return Status::Ok();
}

void RequestMeter::ExtendTo(size_t partition) {
  last_ = std::max(last_, partition);
}

void RequestMeter::Charge(int64_t milli_ru) {
  milli_ru *= factor_;
  milli_ru_ = milli_ru;
  if (!admitted()) return;
  budgets_->usage.milli_ru.Add(milli_ru);
  const auto parts = static_cast<int64_t>(last_ - first_ + 1);
  for (size_t i = first_; i <= last_; ++i) {
    // The first partition bears the remainder.
    budgets_->by_partition[i]->Charge(milli_ru / parts + (i == first_ ? milli_ru % parts : 0));
  }
}

void RequestMeter::ChargeRefused(const Status& refused) {
  Charge(RefusedMilliRu(refused.code()));
}

}  // namespace lapse::engine
