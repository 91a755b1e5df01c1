// Arrays as sets, and objects as arrays. SameValue decides whether members are equal.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (array, array): without duplicates, in the order in which members first appear; those of the intersection as in the
// second array.
extern const Function kSetDifference;
extern const Function kSetIntersect;
extern const Function kSetUnion;
extern const Function kSetEqual;

// (object [, name of the key [, name of the value]]): [{"k": name, "v": value}, ...]
extern const Function kObjectToArray;

}  // namespace lapse::query::functions
