#include "query/sql/aggregate_calls.h"

#include <algorithm>

#include "query/sql/function_names.h"

namespace lapse::query::sql {

bool IsAggregate(const Expression& e) {
  if (e.kind != ExpressionKind::kCall) return false;
  const FunctionName* name = FindFunction(e.text);
  return name != nullptr && name->kind == NameKind::kAggregate;
}

bool HasAggregate(const Expression& e) {
  if (IsAggregate(e)) return true;
  return std::any_of(e.children.begin(), e.children.end(), [](const Expression* c) { return HasAggregate(*c); });
}

bool IsGrouped(const Query& query) {
  return !query.group_by.empty() || std::any_of(query.items.begin(), query.items.end(),
                                                [](const SelectItem& item) { return HasAggregate(*item.expression); });
}

}  // namespace lapse::query::sql
