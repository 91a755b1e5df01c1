#include "query/exec/positions/page_shape.h"

#include <algorithm>

namespace lapse::query::exec {
namespace {

using plan::Operator;
using plan::OperatorKind;

const Operator* FindUp(const Operator* from, OperatorKind kind) {
  while (from != nullptr && from->kind != kind) from = from->input;
  return from;
}

// Whether operators above this one may make several rows from one.
bool MakesSeveral(const Operator* last, const Operator* of) {
  for (const Operator* op = last; op != of; op = op->input) {
    if (op->kind == OperatorKind::kUnnest || op->kind == OperatorKind::kApply) return true;
  }
  return false;
}

// Whether the order is by the result alone, so that equal results are neighbours.
bool OrdersByResult(const PageShape& shape) {
  return shape.order.size() == 1 && shape.order[0].expression != nullptr && shape.after_sort.size() == 1 &&
         shape.after_sort[0]->slot == shape.result &&
         plan::SameExpression(*shape.order[0].expression, *shape.after_sort[0]->expression);
}

}  // namespace

Result<PageShape> PageShape::Of(const plan::Query& query) {
  PageShape shape;
  shape.result = query.result;
  const Operator* op = query.last;
  if (op->kind == OperatorKind::kSlice) {
    shape.offset = op->offset;
    shape.limit = op->limit;
    op = op->input;
  }
  if (op->kind == OperatorKind::kDistinct) {
    shape.distinct = true;
    op = op->input;
  }
  shape.rows = op;
  // A continuation does not hold the state of such an operator.
  if (FindUp(op, OperatorKind::kDistinct) != nullptr || FindUp(op, OperatorKind::kSlice) != nullptr) {
    return Status(Code::kUnsupported, "a distinct or a slice in the middle of a query");
  }
  const Operator* const sort = FindUp(op, OperatorKind::kSort);
  const Operator* const groups = FindUp(op, OperatorKind::kAggregate);
  if (sort != nullptr) {
    for (; op != sort; op = op->input) {
      if (op->kind != OperatorKind::kProject) return Status(Code::kUnsupported, "a sort in the middle of a query");
      shape.after_sort.push_back(op);
    }
    std::reverse(shape.after_sort.begin(), shape.after_sort.end());
    for (const plan::SortKey& key : sort->sort_keys) {
      // If the most similar vectors do not have the greatest score, the front end asks for ascending order.
      shape.order.push_back({key.expression, 0, key.direction != plan::SortKey::Direction::kAscending});
    }
    shape.rows = sort->input;
    shape.keys_decide = shape.distinct && OrdersByResult(shape);
  } else if (shape.distinct) {
    shape.order.push_back({nullptr, shape.result, false});
    shape.keys_decide = true;
  } else if (groups != nullptr) {
    for (const plan::GroupKey& key : groups->group_keys) shape.order.push_back({nullptr, key.slot, false});
    shape.several_of_group = MakesSeveral(shape.rows, groups);
    shape.keys_decide = !shape.several_of_group;
  }
  shape.of_items = groups == nullptr && FindUp(op, OperatorKind::kScan) != nullptr;
  shape.streams = shape.order.empty() && groups == nullptr;
  return shape;
}

}  // namespace lapse::query::exec
