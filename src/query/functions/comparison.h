// The comparison operators.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (a, b): undefined if a side is undefined; values of different types are not equal
extern const Function kEqual;
extern const Function kNotEqual;
// (a, b): both of one primitive type, else undefined
extern const Function kLess;
extern const Function kLessOrEqual;
extern const Function kGreater;
extern const Function kGreaterOrEqual;
// (value, low, high): value >= low AND value <= high
extern const Function kBetween;
// (value, member, ...): whether the value equals one of the members. Undefined if the value is; undefined members never
// match.
extern const Function kIn;
// (a): bools only
extern const Function kNot;

}  // namespace lapse::query::functions
