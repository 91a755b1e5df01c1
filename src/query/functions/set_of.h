// The elements of an array as a set for lookups.
#pragma once

#include "query/functions/eval_context.h"
#include "query/values/value.h"
#include "query/values/value_set.h"

namespace lapse::query::functions {

// Lives in the context's arena. Elements are missing if the arena runs out of room.
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
