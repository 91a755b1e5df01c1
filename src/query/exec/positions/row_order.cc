#include "query/exec/positions/row_order.h"

#include <cstddef>

#include "query/values/compare.h"

namespace lapse::query::exec {
namespace {

std::strong_ordering Reversed(std::strong_ordering order) {
  if (std::is_eq(order)) return order;
  return std::is_lt(order) ? std::strong_ordering::greater : std::strong_ordering::less;
}

}  // namespace

std::strong_ordering CompareRows(const PageShape& shape, const OrderedRow& one, const OrderedRow& other) {
  for (size_t i = 0; i < shape.order.size(); ++i) {
    const std::strong_ordering order = OrderOf(one.keys[i], other.keys[i]);
    if (std::is_neq(order)) return shape.order[i].descending ? Reversed(order) : order;
  }
  if (shape.keys_decide) return std::strong_ordering::equal;
  // Partitions come in their own order, whatever the direction, because clients that merge partitions expect that.
  const engine::PartitionNumber part = engine::PartitionOf(one.tie_break.item);
  const engine::PartitionNumber other_part = engine::PartitionOf(other.tie_break.item);
  if (part != other_part) return part <=> other_part;
  const std::strong_ordering order = one.tie_break.Compare(other.tie_break);
  return TiesDescend(shape) ? Reversed(order) : order;
}

// As in the service, ties follow the direction of the first key.
bool TiesDescend(const PageShape& shape) {
  return !shape.order.empty() && shape.order[0].descending;
}

}  // namespace lapse::query::exec
