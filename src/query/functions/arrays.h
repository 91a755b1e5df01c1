// Functions of arrays.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kArrayConcat;  // (array, array, ...)
// (array, value [, partial]): whether the value is an element. Partial: an element matches if it has all members of the
// object, and perhaps more.
extern const Function kArrayContains;
extern const Function kArrayContainsAll;  // (array, value, ...)
extern const Function kArrayContainsAny;  // (array, value, ...)
extern const Function kArrayLength;
extern const Function kArraySlice;  // (array, start [, count]): a negative start counts from the end

// Undefined unless all elements are numbers.
extern const Function kArraySum;     // 0 for an empty array
extern const Function kArrayAvg;     // undefined for an empty array
extern const Function kArrayMedian;  // undefined for an empty array
// Like the aggregates MIN and MAX: undefined for an empty array, and with an array or an object in it.
extern const Function kArrayMin;
extern const Function kArrayMax;

}  // namespace lapse::query::functions
