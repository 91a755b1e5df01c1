// Documents for the fuzzers of queries. The names are few and always mean the same:
//
//   n    mostly a small number          s    mostly a text        b    mostly true or false
//   x    anything                       big  a large integer      o    mostly {"a", "b": {"c"}}
//   t    mostly an array of anything    r    mostly an array of {"k", "v", "t"}
//   x-y  anything, behind a name that is no word              loc  mostly a geometry
#pragma once

#include <string>

#include "tests/query/fuzz/choices.h"

namespace lapse::query_tests {

// The members of the document but for id, partition key and ttl, each with a comma before it.
std::string RandomMembers(Choices* choices);

}  // namespace lapse::query_tests
