// Decides whether a history is linearizable: is there an order of its operations in which none precedes one that had
// ended before it began, and in which the model gives each answer? Uses the search of Wing and Gong, with a memory of
// visited states.
#pragma once

#include <cstdint>

#include "tests/linearizability/history.h"
#include "tests/linearizability/partition_model.h"

namespace lapse::linearizability {

enum class Verdict {
  kExplained,
  kViolated,   // no order explains it
  kUndecided,  // the search has reached its limit
};

struct CheckLimits {
  int64_t steps_max = 300'000;
};

Verdict Check(const PartitionModel& model, const History& history, const CheckLimits& limits = {});

}  // namespace lapse::linearizability
