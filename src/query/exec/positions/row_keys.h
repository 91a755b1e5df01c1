// The keys of the row in the slots.
#pragma once

#include <vector>

#include "query/exec/eval/evaluator.h"
#include "query/exec/positions/page_shape.h"

namespace lapse::query::exec {

// Returns one value for each key of the order. The values are meaningless if the evaluator has failed.
inline std::vector<Value> KeysOfRow(const PageShape& shape, Evaluator* evaluator) {
  std::vector<Value> keys;
  keys.reserve(shape.order.size());
  for (const OrderKey& key : shape.order) {
    if (key.expression == nullptr) {
      keys.push_back(evaluator->slot(key.slot));
      continue;
    }
    const Value value = evaluator->Evaluate(*key.expression);
    // A composite index serves several keys, and it treats arrays and objects as undefined.
    const bool counts = shape.order.size() == 1 || (!value.IsArray() && !value.IsObject());
    keys.push_back(counts ? value : Value());
  }
  return keys;
}

}  // namespace lapse::query::exec
