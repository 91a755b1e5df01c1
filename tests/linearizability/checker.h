// Whether a history can be explained: is there an order of its operations, in which none comes before one that had
// ended when it began, and in which each answer is what the model gives? (The search of Wing and Gong, with a memory of
// the places where it has been.)
#pragma once

#include <cstdint>

#include "tests/linearizability/history.h"
#include "tests/linearizability/partition_model.h"

namespace lapse::linearizability {

enum class Verdict {
  kExplained,
  kViolated,   // no order explains it
  kUndecided,  // the search has come to its limit
};

struct CheckLimits {
  int64_t steps_max = 300'000;
};

Verdict Check(const PartitionModel& model, const History& history, const CheckLimits& limits = {});

}  // namespace lapse::linearizability
