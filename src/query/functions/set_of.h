// The elements of an array, to look values up in them.
#pragma once

#include "query/functions/eval_context.h"
#include "query/values/value.h"
#include "query/values/value_set.h"

namespace lapse::query::functions {

// In the context's arena; some are missing when that has no more room.
inline ValueSet SetOf(EvalContext& context, Value array) {
  ValueSet set(&context.arena(), context.hash_seed());
  Elements elements(array);
  while (auto element = elements.Next()) {
    set.Add(*element);
    if (context.failed()) break;
  }
  return set;
}

}  // namespace lapse::query::functions
