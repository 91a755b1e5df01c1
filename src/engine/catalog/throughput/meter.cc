#include "engine/catalog/throughput/meter.h"

#include <algorithm>
#include <utility>

#include "engine/catalog/containers/container.h"
#include "engine/records/prices/prices.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::engine {

Status Meter::Admit(std::shared_ptr<const Container> container, const Partition& partition, int64_t ahead_milli_ru) {
  if (admitted()) return Status::Ok();
  const auto& all = container->partitions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.get() == &partition; });
  retry_after_ms_ = (*found)->budget().Admit(ahead_milli_ru);
  if (retry_after_ms_ > 0) {
    container->usage().throttled.Add();
    return {Code::kThrottled, "the request units of this second are used up"};
  }
  first_ = last_ = static_cast<size_t>(found - all.begin());
  container_ = std::move(container);
  return Status::Ok();
}

void Meter::ExtendTo(size_t partition) {
  last_ = std::max(last_, partition);
}

void Meter::Charge(int64_t milli_ru) {
  milli_ru *= factor_;
  milli_ru_ = milli_ru;
  if (!admitted()) return;
  container_->usage().milli_ru.Add(milli_ru);
  const auto parts = static_cast<int64_t>(last_ - first_ + 1);
  for (size_t i = first_; i <= last_; ++i) {
    // The first one bears what cannot be divided.
    container_->partitions()[i]->budget().Charge(milli_ru / parts + (i == first_ ? milli_ru % parts : 0));
  }
}

void Meter::ChargeRefused(const Status& refused) {
  Charge(RefusedMilliRu(refused.code()));
}

}  // namespace lapse::engine
