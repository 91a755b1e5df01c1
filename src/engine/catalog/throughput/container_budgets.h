// What the partitions of one container live on, and what users did with it.
#pragma once

#include <memory>
#include <vector>

#include "base/metrics.h"
#include "engine/catalog/throughput/budget.h"

namespace lapse::engine {

// Of users, since the start.
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
