// Which expressions call aggregates.
#pragma once

#include "query/sql/syntax.h"

namespace lapse::query::sql {

bool IsAggregate(const Expression& e);
// It, or a part of it. Sub-queries have aggregates of their own.
bool HasAggregate(const Expression& e);
// Whether the query makes groups of its rows.
bool IsGrouped(const Query& query);

}  // namespace lapse::query::sql
