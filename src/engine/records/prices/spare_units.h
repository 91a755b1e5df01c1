// What users leave of a partition's request units: the background work of the partition lives on it.
#pragma once

#include <cstdint>

namespace lapse::engine {

// In thousandths of a request unit. Threads: one at a time.
class SpareUnits {
 public:
  virtual ~SpareUnits() = default;

  // Whether the partition is held to a throughput. If it is not, the background work takes a share of a core instead.
  virtual bool limited() const = 0;
  // What may be spent now: of one second, or as much as `wanted` when that is more.
  virtual int64_t LeftOver(int64_t wanted) = 0;
  virtual void SpendLeftOver(int64_t milli_ru) = 0;
};

}  // namespace lapse::engine
