// Texts and patterns. A bad pattern, and one that RE2 does not have, gives undefined.
#pragma once

#include "query/functions/function.h"

namespace lapse::query::functions {

// How many bytes RegexExtractAll may search, those that it searches again after a match counted again: beyond, the
// result is undefined. A search is linear, but all matches of some patterns need one to the end of the text each.
inline constexpr size_t kExtractAllBytesMax = size_t{1} << 27;
// The same for bytes times instructions of the pattern: some seconds for a pattern that is followed instruction by
// instruction.
inline constexpr uint64_t kExtractAllWorkMax = uint64_t{1} << 30;

// (text, pattern [, modifiers]): whether the pattern is found anywhere
extern const Function kRegexMatch;
// (text, pattern [, modifiers [, group]]): the first match or its group, undefined when there is none
extern const Function kRegexExtract;
// The same of all matches, as an array. A group that took no part in a match is left out.
extern const Function kRegexExtractAll;

}  // namespace lapse::query::functions
