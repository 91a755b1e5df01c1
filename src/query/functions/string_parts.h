// Parts of a text. They look into it and copy nothing.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kLeft;       // (text, count)
extern const Function kLength;     // (text), in UTF-16 units
extern const Function kRight;      // (text, count)
extern const Function kSubstring;  // (text, start, count)

// (text [, characters]): without white space, or without any of these characters, at the ends
extern const Function kLeftTrim;
extern const Function kRightTrim;
extern const Function kTrim;

// (text, delimiter): what is before or after the first or the last delimiter. A text without it is before it as a
// whole, and nothing is after it.
extern const Function kLastSubstringAfter;
extern const Function kLastSubstringBefore;
extern const Function kSubstringAfter;
extern const Function kSubstringBefore;

}  // namespace lapse::query::functions
