// The aggregates. All of them skip undefined values.
#pragma once

#include "query/functions/aggregate.h"

namespace lapse::query::functions {

extern const Aggregate kCount;    // number of defined values
extern const Aggregate kCountIf;  // number of true values
// Undefined once there was a value that is not a number. Without values the sum is 0 and the average undefined.
extern const Aggregate kSum;
extern const Aggregate kAverage;
// Use the order of ORDER BY. Undefined without values, and once there was an array or an object.
extern const Aggregate kMin;
extern const Aggregate kMax;
extern const Aggregate kMakeList;  // an array of all values
extern const Aggregate kMakeSet;   // an array of the distinct values

}  // namespace lapse::query::functions
