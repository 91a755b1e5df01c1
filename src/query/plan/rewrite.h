// Replaces parts of an expression, also within its sub-queries. The result shares all unchanged parts with the
// original.
#pragma once

#include <functional>

#include "query/plan/operator.h"
#include "query/tree_arena.h"

namespace lapse::query::plan {

// Returns the replacement of an expression, or null to descend into its parts.
using Replacement = std::function<const Expression*(const Expression&)>;

// New nodes live in the arena.
const Expression* Rewrite(const Expression& expression, const Replacement& replacement, TreeArena* arena);

}  // namespace lapse::query::plan
