// Parses the text of a query into its syntax tree.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/status.h"
#include "query/sql/syntax.h"

namespace lapse::query::sql {

inline constexpr size_t kTextBytesMax = 512 * 1024;
inline constexpr int kJoinsMax = 10;

// Fails: kInvalidArgument with the first error of the text in the service's form (error_list.h): SC1001, SC1002 and
// SC1010 for text that is not a query, SC3002 for too many joins, SC3020 for too long a text, SC3021 for too deep a
// nesting.
Result<SyntaxTree> Parse(std::string_view text);

// Parses a text without its SELECT: FROM and what may follow it. The query has a result, `true`, for each row. Fails as
// Parse.
Result<SyntaxTree> ParseCondition(std::string_view text);

}  // namespace lapse::query::sql
