// Aggregates over all items: their count, and MIN or MAX, which an index has at one of its ends.
#pragma once

#include <optional>
#include <span>

#include "query/exec/positions/page_shape.h"
#include "query/functions/aggregates.h"
#include "query/plan/condition.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

// Returns the aggregates if all items become one row of them, otherwise none.
inline std::span<const plan::AggregateCall> AggregatesOfAll(const PageShape& shape, const plan::ScanCondition& scan) {
  if (scan.last == nullptr || shape.rows == scan.last) return {};
  const plan::Operator* op = shape.rows;
  while (op != nullptr && op->input != scan.last) op = op->input;
  if (op == nullptr || op->kind != plan::OperatorKind::kAggregate || !op->group_keys.empty()) return {};
  return op->aggregates;
}

struct Extreme {
  plan::Path path;
  bool greatest = false;
};

// Returns the minimum or maximum that is asked for, or nullopt if the query asks for anything else.
inline std::optional<Extreme> ExtremeOf(const PageShape& shape, const plan::ScanCondition& scan) {
  const std::span<const plan::AggregateCall> aggregates = AggregatesOfAll(shape, scan);
  if (aggregates.size() != 1) return std::nullopt;
  const plan::AggregateCall& call = aggregates.front();
  if (call.aggregate != &functions::kMin && call.aggregate != &functions::kMax) return std::nullopt;
  std::optional<plan::Path> path = plan::PathOf(*call.argument, scan.last);
  if (!path.has_value()) return std::nullopt;
  return Extreme{*std::move(path), call.aggregate == &functions::kMax};
}

}  // namespace lapse::query::exec
