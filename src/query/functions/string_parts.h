// Functions that return parts of a text. The results point into the text, without a copy.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

extern const Function kLeft;       // (text, count)
extern const Function kLength;     // (text), in UTF-16 units
extern const Function kRight;      // (text, count)
extern const Function kSubstring;  // (text, start, count)

// (text [, characters]): strips white space, or any of these characters, from the ends
extern const Function kLeftTrim;
extern const Function kRightTrim;
extern const Function kTrim;

// (text, delimiter): what is before or after the first or the last delimiter. If there is none, the whole text is
// before it, and nothing is after it.
extern const Function kLastSubstringAfter;
extern const Function kLastSubstringBefore;
extern const Function kSubstringAfter;
extern const Function kSubstringBefore;

}  // namespace lapse::query::functions
