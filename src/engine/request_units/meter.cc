#include "engine/request_units/meter.h"

#include <algorithm>
#include <utility>

#include "engine/catalog/container.h"
#include "engine/commit/partition.h"

namespace lapse::engine {
namespace {

size_t IndexOf(const Container& container, const Partition& partition) {
  const auto& all = container.partitions();
  auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.get() == &partition; });
  return static_cast<size_t>(found - all.begin());
}

}  // namespace

int64_t Meter::Admit(std::shared_ptr<Container> container, const Partition& partition) {
  const size_t index = IndexOf(*container, partition);
  if (int64_t wait_ms = container->partitions()[index]->budget().Admit(); wait_ms > 0) {
    container->usage().throttled.Add();
    return wait_ms;
  }
  first_ = last_ = index;
  container_ = std::move(container);
  return 0;
}

void Meter::ExtendTo(const Partition& partition) {
  last_ = std::max(last_, IndexOf(*container_, partition));
}

void Meter::Charge(int64_t milli_ru) {
  if (container_ == nullptr) return;
  container_->usage().milli_ru.Add(milli_ru);
  const auto parts = static_cast<int64_t>(last_ - first_ + 1);
  for (size_t i = first_; i <= last_; ++i) {
    // The first one bears what cannot be divided.
    container_->partitions()[i]->budget().Charge(milli_ru / parts + (i == first_ ? milli_ru % parts : 0));
  }
}

}  // namespace lapse::engine
