#include "query/plan/expression.h"

#include <algorithm>

#include "query/values/compare.h"

namespace lapse::query::plan {

// A sub-query is the same only as itself: its slots are its own.
bool SameExpression(const Expression& a, const Expression& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.kind == ExpressionKind::kSubquery || a.kind == ExpressionKind::kLet) return false;
  if (a.slot != b.slot || a.index != b.index || a.function != b.function || a.name != b.name) return false;
  if (a.kind == ExpressionKind::kConstant) return SameValue(a.value, b.value);
  return std::equal(a.names.begin(), a.names.end(), b.names.begin(), b.names.end()) &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const Expression* x, const Expression* y) { return SameExpression(*x, *y); });
}

}  // namespace lapse::query::plan
