// Whether, and where, a text is in another one.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// (text, part [, ignore case])
extern const Function kContains;
extern const Function kEndsWith;
extern const Function kStartsWith;
extern const Function kStringEquals;

// (text, part, part, ...): all or any of them, in three-valued logic; CI ignores the case.
extern const Function kContainsAllCi;
extern const Function kContainsAllCs;
extern const Function kContainsAnyCi;
extern const Function kContainsAnyCs;

// (text, part [, start]): a position, or -1. A start beyond the text, or before it, finds nothing.
extern const Function kIndexOf;
// The last place whose end is at `start` or before it.
extern const Function kLastIndexOf;

}  // namespace lapse::query::functions
