// Which expressions call aggregates.
#pragma once

#include "query/sql/syntax.h"

namespace lapse::query::sql {

bool IsAggregate(const Expression& e);
// Checks the expression and its parts. Sub-queries have aggregates of their own.
bool HasAggregate(const Expression& e);
// Whether the query groups its rows.
bool IsGrouped(const Query& query);

}  // namespace lapse::query::sql
