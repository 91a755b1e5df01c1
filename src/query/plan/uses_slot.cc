#include "query/plan/uses_slot.h"

#include <algorithm>

namespace lapse::query::plan {
namespace {

bool QueryUses(const Query* query, Slot slot) {
  if (query == nullptr) return false;
  if (query->result == slot) return true;
  for (const Operator* op = query->last; op != nullptr; op = op->input) {
    if (UsesSlot(*op, slot)) return true;
  }
  return false;
}

bool MaybeUses(const Expression* expression, Slot slot) {
  return expression != nullptr && UsesSlot(*expression, slot);
}

}  // namespace

// Recursion is as deep as the expression and its sub-queries. The front end bounds both.
bool UsesSlot(const Expression& expression, Slot slot) {
  if (expression.kind == ExpressionKind::kVariable) return expression.slot == slot;
  return QueryUses(expression.query, slot) ||
         std::any_of(expression.children.begin(), expression.children.end(),
                     [slot](const Expression* child) { return UsesSlot(*child, slot); });
}

bool UsesSlot(const Operator& op, Slot slot) {
  const bool of_distinct = op.kind == OperatorKind::kDistinct && op.slot == slot;
  return of_distinct || MaybeUses(op.expression, slot) || QueryUses(op.query, slot) ||
         std::any_of(op.group_keys.begin(), op.group_keys.end(),
                     [slot](const GroupKey& key) { return MaybeUses(key.expression, slot); }) ||
         std::any_of(op.aggregates.begin(), op.aggregates.end(),
                     [slot](const AggregateCall& call) { return MaybeUses(call.argument, slot); }) ||
         std::any_of(op.sort_keys.begin(), op.sort_keys.end(),
                     [slot](const SortKey& key) { return MaybeUses(key.expression, slot); });
}

}  // namespace lapse::query::plan
