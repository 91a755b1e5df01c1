// The request units of a partition that users leave over. They fund the partition's background work.
#pragma once

#include <cstdint>

namespace lapse::engine {

// In thousandths of a request unit. Threads: one at a time.
class SpareUnits {
 public:
  virtual ~SpareUnits() = default;

  // Returns true if the partition is limited to a throughput. If it is not, background work takes a share of a core
  // instead.
  virtual bool limited() const = 0;
  // Returns what may be spent now: the units of one second, or up to `wanted` if that is more.
  virtual int64_t LeftOver(int64_t wanted) = 0;
  virtual void SpendLeftOver(int64_t milli_ru) = 0;
};

}  // namespace lapse::engine
