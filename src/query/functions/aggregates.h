// The aggregates. Undefined values are passed over by all of them.
#pragma once

#include "query/functions/aggregate.h"

namespace lapse::query::functions {

extern const Aggregate kCount;    // of defined values
extern const Aggregate kCountIf;  // of values that are true
// Undefined once there was a value that is no number. Without values the sum is 0 and the average undefined.
extern const Aggregate kSum;
extern const Aggregate kAverage;
// In the order of ORDER BY. Undefined without values, and once there was an array or an object.
extern const Aggregate kMin;
extern const Aggregate kMax;
extern const Aggregate kMakeList;  // an array of all values
extern const Aggregate kMakeSet;   // an array of the values, each once

}  // namespace lapse::query::functions
