// Regular expressions. An invalid pattern, or one that RE2 does not support, gives undefined.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// The most bytes that RegexExtractAll may search, counting bytes again if it searches them again after a match. Beyond
// that the result is undefined. One search is linear, but with some patterns each match needs a search to the end of
// the text.
inline constexpr size_t kExtractAllBytesMax = size_t{1} << 27;
// The same limit for bytes times instructions of the pattern: some seconds for a pattern that runs instruction by
// instruction.
inline constexpr uint64_t kExtractAllWorkMax = uint64_t{1} << 30;

// (text, pattern [, modifiers]): whether the pattern matches anywhere
extern const Function kRegexMatch;
// (text, pattern [, modifiers [, group]]): the first match or its group, undefined if there is none
extern const Function kRegexExtract;
// The same for all matches, as an array. A group that did not participate in a match is left out.
extern const Function kRegexExtractAll;

}  // namespace lapse::query::functions
