#include "query/sql/bind.h"

#include <memory>
#include <utility>

#include "query/sql/binder.h"
#include "query/sql/error_list.h"
#include "query/sql/function_names.h"

namespace lapse::query::sql {
namespace {

bool IsAggregate(const Expression& e) {
  if (e.kind != ExpressionKind::kCall) return false;
  const FunctionName* name = FindFunction(e.text);
  return name != nullptr && name->kind == NameKind::kAggregate;
}

// Sub-queries have aggregates of their own.
bool HasAggregate(const Expression& e) {
  if (IsAggregate(e)) return true;
  for (const Expression* child : e.children) {
    if (HasAggregate(*child)) return true;
  }
  return false;
}

}  // namespace

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
