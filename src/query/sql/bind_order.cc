#include <algorithm>

#include "base/ascii.h"
#include "query/sql/binder.h"

namespace lapse::query::sql {
namespace {

bool IsPath(const Expression& e) {
  const Expression* at = &e;
  while (at->kind == ExpressionKind::kProperty || at->kind == ExpressionKind::kIndex) at = at->children[0];
  return at != &e && at->kind == ExpressionKind::kIdentifier;
}

bool IsVectorDistance(const Expression& e) {
  if (e.kind != ExpressionKind::kCall) return false;
  const FunctionName* name = FindFunction(e.text);
  return name != nullptr && name->name == "VECTOR_DISTANCE";
}

// Whether the measure gives similar vectors a small distance.
bool SmallIsSimilar(const plan::Expression& distance) {
  if (distance.children.size() < 4) return false;
  const plan::Expression& options = *distance.children[3];
  Value measure;
  if (options.kind == plan::ExpressionKind::kConstant) {
    measure = Property(options.value, "distanceFunction");
  } else if (options.kind == plan::ExpressionKind::kObject) {
    for (size_t i = 0; i < options.names.size(); ++i) {
      if (options.names[i] == "distanceFunction") measure = options.children[i]->value;
    }
  }
  return measure.IsString() && EqualsIgnoreCase(measure.AsString(), "euclidean");
}

plan::SortKey::Direction DirectionOf(const OrderItem& item, const plan::Expression& key) {
  if (IsVectorDistance(*item.expression)) {
    return SmallIsSimilar(key) ? plan::SortKey::Direction::kAscending : plan::SortKey::Direction::kMostSimilar;
  }
  return item.direction == OrderItem::Direction::kDescending ? plan::SortKey::Direction::kDescending
                                                             : plan::SortKey::Direction::kAscending;
}

}  // namespace

const plan::Operator* Binder::BindOrder(const Query& query, const plan::Operator* input) {
  if (query.rank) {
    Unsupported("ORDER BY RANK", query.order_by_span);
    return input;
  }
  std::vector<plan::SortKey> keys;
  for (const OrderItem& item : query.order_by) {
    const plan::Expression* const key = Bind(*item.expression);
    keys.push_back({.expression = key, .direction = DirectionOf(item, *key)});
    if (!errors_->empty()) continue;
    if (!IsVectorDistance(*item.expression)) {
      CheckSortKey(*item.expression);
    } else if (item.direction != OrderItem::Direction::kUnspecified) {
      Unsupported("ORDER BY VectorDistance with a direction", item.expression->span);
    }
  }
  plan::Operator* sort = NewOperator(plan::OperatorKind::kSort, input);
  sort->sort_keys = arena_->Copy(std::span<const plan::SortKey>(keys));
  return sort;
}

// A sort key must be a path in the item, so that an index can provide the order.
void Binder::CheckSortKey(const Expression& key) {
  const Expression* root = &key;
  while (!root->children.empty()) root = root->children[0];
  Origin origin = Origin::kDerived;
  if (IsPath(key)) {
    const Variable* variable = Find(root->text);
    if (variable != nullptr) origin = variable->origin;
  }
  switch (origin) {
    case Origin::kDocument: return;
    case Origin::kElement: plain_error_ = "Order-by over correlated collections is not supported."; return;
    case Origin::kDerived:
      errors_->Add("2206",
                   "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path.");
      return;
  }
}

}  // namespace lapse::query::sql
