// The operator LIKE.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// How many characters are compared at the most: a pattern that needs more for a text gives undefined. Plain patterns
// need about as many as the text has.
inline constexpr size_t kLikeWorkMax = size_t{1} << 26;

// (text, pattern [, escape]): the whole text, case counts. % is any run of characters, _ one character, [a-f] one of a
// range, [abc] one of several, [^...] one of all others. A character is literal within brackets, or after the escape
// character. Undefined for what is no string, and for an escape that is not one character.
extern const Function kLike;

}  // namespace lapse::query::functions
