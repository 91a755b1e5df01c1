#include "query/sql/bind.h"

#include <memory>
#include <utility>

#include "query/sql/aggregate_calls.h"
#include "query/sql/binder.h"
#include "query/sql/error_list.h"

namespace lapse::query::sql {

Result<plan::Plan> Bind(const SyntaxTree& tree, std::span<const Parameter> parameters) {
  auto arena = std::make_unique<TreeArena>(tree.text().size() * 16 + 2048);
  ErrorList errors;
  Binder binder(tree.text(), parameters, arena.get(), &errors);
  plan::Query query = binder.BindText(tree.query());
  if (!errors.empty()) return errors.ToStatus(tree.text());
  if (binder.plain_error()) return PlainError(*binder.plain_error());
  return plan::Plan(std::move(arena), query, binder.slot_count());
}

Status CheckAggregatesStandAlone(const Query& query) {
  for (const SelectItem& item : query.items) {
    if (IsAggregate(*item.expression) || !HasAggregate(*item.expression)) continue;
    return PlainError("Compositions of aggregates and other expressions are not allowed.");
  }
  return Status::Ok();
}

}  // namespace lapse::query::sql
