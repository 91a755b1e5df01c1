#include "query/sql/same_syntax.h"

#include <algorithm>
#include <bit>

namespace lapse::query::sql {
namespace {

// Both are present and equal, or both are absent.
template <typename T>
bool SameOrNone(const T* a, const T* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return SameSyntax(*a, *b);
}

bool SameList(std::span<const Expression* const> a, std::span<const Expression* const> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Expression* x, const Expression* y) { return SameSyntax(*x, *y); });
}

bool SameItem(const SelectItem& a, const SelectItem& b) {
  return a.has_alias == b.has_alias && a.alias == b.alias && SameSyntax(*a.expression, *b.expression);
}

bool SameSource(const Source& a, const Source& b) {
  return a.iterates == b.iterates && a.has_alias == b.has_alias && a.alias == b.alias && SameOrNone(a.path, b.path) &&
         SameOrNone(a.query, b.query);
}

bool SameOrder(const OrderItem& a, const OrderItem& b) {
  return a.direction == b.direction && SameSyntax(*a.expression, *b.expression);
}

template <typename T>
bool SameParts(std::span<const T> a, std::span<const T> b, bool (*same)(const T&, const T&)) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

}  // namespace

bool SameSyntax(const Expression& a, const Expression& b) {
  if (a.kind != b.kind || a.op != b.op || a.negated != b.negated) return false;
  switch (a.kind) {
    case ExpressionKind::kInteger: return a.integer == b.integer;
    case ExpressionKind::kReal: return std::bit_cast<uint64_t>(a.real) == std::bit_cast<uint64_t>(b.real);
    case ExpressionKind::kUndefined:
    case ExpressionKind::kNull:
    case ExpressionKind::kTrue:
    case ExpressionKind::kFalse: return true;
    default: return a.text == b.text && SameList(a.children, b.children) && SameOrNone(a.query, b.query);
  }
}

bool SameSyntax(const Query& a, const Query& b) {
  return a.distinct == b.distinct && a.select == b.select && a.rank == b.rank && SameOrNone(a.top, b.top) &&
         SameParts(a.items, b.items, SameItem) && SameParts(a.sources, b.sources, SameSource) &&
         SameOrNone(a.where, b.where) && SameList(a.group_by, b.group_by) &&
         SameParts(a.order_by, b.order_by, SameOrder) && SameOrNone(a.offset, b.offset) && SameOrNone(a.limit, b.limit);
}

}  // namespace lapse::query::sql
