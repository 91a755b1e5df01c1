// The budgets of one container's partitions, and what users spent of them.
#pragma once

#include <memory>
#include <vector>

#include "base/metrics.h"
#include "engine/catalog/throughput/budget.h"

namespace lapse::engine {

// Usage since the start.
struct ContainerUsage {
  Counter milli_ru;   // spent
  Counter throttled;  // requests
};

// Threads: any, once it is filled.
struct ContainerBudgets {
  std::vector<std::shared_ptr<Budget>> by_partition;  // in the order of Container::partitions()
  ContainerUsage usage;
};

}  // namespace lapse::engine
