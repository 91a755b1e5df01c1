// The keys of the row that is in the slots.
#pragma once

#include <vector>

#include "query/exec/eval/evaluator.h"
#include "query/exec/positions/page_shape.h"

namespace lapse::query::exec {

// One for each key of the order. They mean nothing when the evaluator has failed.
inline std::vector<Value> KeysOfRow(const PageShape& shape, Evaluator* evaluator) {
  std::vector<Value> keys;
  keys.reserve(shape.order.size());
  for (const OrderKey& key : shape.order) {
    if (key.expression == nullptr) {
      keys.push_back(evaluator->slot(key.slot));
      continue;
    }
    const Value value = evaluator->Evaluate(*key.expression);
    // Several keys are served by a composite index, in which arrays and objects count as undefined.
    const bool counts = shape.order.size() == 1 || (!value.IsArray() && !value.IsObject());
    keys.push_back(counts ? value : Value());
  }
  return keys;
}

}  // namespace lapse::query::exec
