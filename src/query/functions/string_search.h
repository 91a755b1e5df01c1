// Whether, and where, a text contains another one.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (text, part [, ignore case])
extern const Function kContains;
extern const Function kEndsWith;
extern const Function kStartsWith;
extern const Function kStringEquals;

// (text, part, part, ...): all or any of them, in three-valued logic; CI ignores case.
extern const Function kContainsAllCi;
extern const Function kContainsAllCs;
extern const Function kContainsAnyCi;
extern const Function kContainsAnyCs;

// (text, part [, start]): a position, or -1. A start outside the text finds nothing.
extern const Function kIndexOf;
// Returns the last occurrence that ends at or before `start`.
extern const Function kLastIndexOf;

}  // namespace lapse::query::functions
