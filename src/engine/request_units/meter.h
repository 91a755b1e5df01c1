// What one user request costs: asks the budget it goes to, and charges it afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lapse::engine {

class Container;
class Partition;

// Threads: one at a time. Keeps the container.
class Meter {
 public:
  // 0: go ahead. Otherwise nothing may be done, and the milliseconds to wait. Ask once.
  int64_t Admit(std::shared_ptr<Container> container, const Partition& partition);
  // A page went on into the partitions up to this one: all of them share its charge.
  void ExtendTo(const Partition& partition);
  // Once. Without an admission it is nobody's.
  void Charge(int64_t milli_ru);

 private:
  std::shared_ptr<Container> container_;
  size_t first_ = 0;  // among the container's partitions
  size_t last_ = 0;
};

}  // namespace lapse::engine
