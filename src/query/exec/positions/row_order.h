// The order in which the pages of a query return its rows.
#pragma once

#include <compare>
#include <span>

#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// What orders a row: a value for each key, and its tie-break among rows with equal keys.
struct OrderedRow {
  std::span<const Value> keys;
  TieBreak tie_break;
};

std::strong_ordering CompareRows(const PageShape& shape, const OrderedRow& one, const OrderedRow& other);

// Whether rows of a partition with equal keys come in descending order.
bool TiesDescend(const PageShape& shape);

}  // namespace lapse::query::exec
