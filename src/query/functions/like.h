// The operator LIKE.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// The most characters that are compared. A pattern that needs more for a text gives undefined. Simple patterns need
// about as many as the text has.
inline constexpr size_t kLikeWorkMax = size_t{1} << 26;

// (text, pattern [, escape]): matches the whole text, case-sensitively. % is any run of characters, _ one character,
// [a-f] one of a range, [abc] one of several, [^...] any other character. A character is literal within brackets, or
// after the escape character. Undefined for anything but strings, and for an escape that is not one character.
extern const Function kLike;

}  // namespace lapse::query::functions
