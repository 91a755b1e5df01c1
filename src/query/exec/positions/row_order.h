// The order in which the pages of a query give its rows.
#pragma once

#include <compare>
#include <span>

#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// What decides about a row: a value for each key of the order, and its place among rows whose keys are equal.
struct OrderedRow {
  std::span<const Value> keys;
  TieBreak tie_break;
};

std::strong_ordering CompareRows(const PageShape& shape, const OrderedRow& one, const OrderedRow& other);

// Whether rows of a partition that have equal keys come with the last one first.
bool TiesDescend(const PageShape& shape);

}  // namespace lapse::query::exec
