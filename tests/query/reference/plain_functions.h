// Operators and functions for the reference, each implemented again in the simplest way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/sql/syntax.h"
#include "tests/query/reference/datum.h"

namespace lapse::query_tests {

Datum PlainAnd(const Datum& a, const Datum& b);
Datum PlainOr(const Datum& a, const Datum& b);
Datum PlainNot(const Datum& a);
Datum PlainUnary(query::sql::Operator op, const Datum& a);
Datum PlainBinary(query::sql::Operator op, const Datum& a, const Datum& b);
// `value` IN `members`.
Datum PlainIn(const Datum& value, const std::vector<Datum>& members);
// `escape` is undefined if the text has none.
Datum PlainLike(const Datum& text, const Datum& pattern, const Datum& escape, bool has_escape);

// The functions that the reference knows, by their names in capitals without underscores.
bool IsPlainFunction(std::string_view name);
Datum PlainFunction(std::string_view name, const std::vector<Datum>& arguments);

// The aggregates, by their names in capitals. `parts` has for each partition one value for each row: what is rounded
// depends on it, since each partition is added up by itself.
bool IsPlainAggregate(std::string_view name);
Datum PlainAggregate(std::string_view name, const std::vector<std::vector<Datum>>& parts);

}  // namespace lapse::query_tests
