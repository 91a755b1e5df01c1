// Functions that make new texts.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// The largest result of Replicate, in UTF-16 units.
inline constexpr int64_t kReplicateUnitsMax = 10'000;

extern const Function kConcat;       // (text, text, ...); also the operator ||
extern const Function kLower;        // (text)
extern const Function kReplace;      // (text, find, replacement)
extern const Function kReplicate;    // (text, count)
extern const Function kReverse;      // (text), character by character
extern const Function kStringJoin;   // (array of texts, delimiter)
extern const Function kStringSplit;  // (text, delimiter)
extern const Function kUpper;        // (text)

}  // namespace lapse::query::functions
