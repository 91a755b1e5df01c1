// Values that documents and queries share. They are few, so that matches happen, and each is at some edge: types that
// do not compare, the two zeros, integers that no double holds, long texts that differ at their ends alone.
#pragma once

#include <string>

#include "tests/query/fuzz/choices.h"

namespace lapse::query_tests {

// All of them are JSON, and SQL too.
std::string RandomNumber(Choices* choices);        // small; sums of them are exact
std::string RandomWideNumber(Choices* choices);    // any
std::string RandomLargeInteger(Choices* choices);  // beyond 2^53; sums of a hundred fit 64 bits
std::string RandomText(Choices* choices);
std::string RandomPrimitive(Choices* choices);
std::string RandomValue(Choices* choices, int depth = 2);
std::string RandomGeometry(Choices* choices);
std::string RandomKey(Choices* choices);  // of a partition

}  // namespace lapse::query_tests
