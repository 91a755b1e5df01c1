// The operators that compare.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (a, b): undefined when a side is undefined; values of different types are not equal
extern const Function kEqual;
extern const Function kNotEqual;
// (a, b): two of one primitive type, else undefined
extern const Function kLess;
extern const Function kLessOrEqual;
extern const Function kGreater;
extern const Function kGreaterOrEqual;
// (value, low, high): value >= low AND value <= high
extern const Function kBetween;
// (value, member, ...): whether it equals one of them. Undefined when the value is; undefined members never match.
extern const Function kIn;
// (a): bools only
extern const Function kNot;

}  // namespace lapse::query::functions
