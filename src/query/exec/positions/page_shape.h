// How the results of a plan are divided into pages.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

// A key that orders rows: an expression over the row, or the value of one of its slots.
struct OrderKey {
  const plan::Expression* expression = nullptr;  // null: use the slot
  plan::Slot slot = 0;
  bool descending = false;
};

// A plan's chain, split into the operators that make rows and what pages do with those rows.
struct PageShape {
  const plan::Operator* rows = nullptr;           // the last operator that makes rows
  std::vector<const plan::Operator*> after_sort;  // projections that follow the sort
  // Rows are returned as they are made. Otherwise all rows are made before the first is returned, and they come in this
  // order; without keys there is one row.
  bool streams = true;
  std::vector<OrderKey> order;
  bool distinct = false;
  // Rows with equal keys are one row. This holds for groups, and for distinct results that are ordered by the result.
  bool keys_decide = false;
  // Each row belongs to an item. False with groups.
  bool of_items = false;
  // A group may give several rows. Their row numbers count from the first row of the group.
  bool several_of_group = false;
  uint64_t offset = 0;
  std::optional<uint64_t> limit;
  plan::Slot result = 0;

  // Fails: kUnsupported for a plan that no front end makes.
  static Result<PageShape> Of(const plan::Query& query);
};

}  // namespace lapse::query::exec
