// Prints a syntax tree as text in a normal form: keywords in capitals, strings in double quotes, parentheses around
// everything that has operands. Parsing the text gives the same tree.
#pragma once

#include <string>

#include "query/sql/syntax.h"

namespace lapse::query::sql {

// How `a AND b AND c` is written. Pairs nest as deep as the chain is long, so long ones cannot be parsed again.
enum class Chains {
  kFlat,   // (a AND b AND c)
  kPairs,  // ((a AND b) AND c)
};

std::string Print(const Query& query, Chains chains = Chains::kFlat);
std::string Print(const Expression& expression, Chains chains = Chains::kFlat);

}  // namespace lapse::query::sql
