// How the results of a plan come in pages.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

// A key that rows are ordered by: an expression over the row, or what is in a slot of it.
struct OrderKey {
  const plan::Expression* expression = nullptr;  // null: the slot
  plan::Slot slot = 0;
  bool descending = false;
};

// A plan's chain, cut into the part that makes rows and what pages do with them.
struct PageShape {
  const plan::Operator* rows = nullptr;           // the last operator that makes rows
  std::vector<const plan::Operator*> after_sort;  // projections that come after the sort
  // Rows are given as they are made. Otherwise all are made before the first is given, and come in this order; without
  // keys there is one row.
  bool streams = true;
  std::vector<OrderKey> order;
  bool distinct = false;
  // Rows with equal keys are one row: groups, and results that are made distinct and ordered by themselves.
  bool keys_decide = false;
  // Each row is one of an item; not where there are groups.
  bool of_items = false;
  // A group may give several rows: among them, the place of a row counts from the first one of its group.
  bool several_of_group = false;
  uint64_t offset = 0;
  std::optional<uint64_t> limit;
  plan::Slot result = 0;

  // Fails: kUnsupported for a plan that no front end makes.
  static Result<PageShape> Of(const plan::Query& query);
};

}  // namespace lapse::query::exec
