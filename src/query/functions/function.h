// A function that expressions call. It has no name here: each front end has its own table of names.
#pragma once

#include <cstdint>
#include <span>

#include "query/functions/eval_context.h"
#include "query/values/value.h"

namespace lapse::query {

using Arguments = std::span<const Value>;

struct Function {
  static constexpr uint8_t kAnyNumber = 255;

  // The front end checks the number of arguments before it calls `evaluate`.
  uint8_t arguments_min;
  uint8_t arguments_max;
  // Undefined arguments and wrong types give undefined, never an error. Results live in the context's arena.
  Value (*evaluate)(EvalContext& context, Arguments arguments);
  // The same arguments always give the same result, in every query.
  bool is_constant = true;
};

}  // namespace lapse::query
