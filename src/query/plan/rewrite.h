// Changes parts of an expression, also within its sub-queries. What does not change is shared with the old one.
#pragma once

#include <functional>

#include "query/plan/operator.h"
#include "query/tree_arena.h"

namespace lapse::query::plan {

// Gives what an expression is replaced with, or null: then its parts are looked at.
using Replacement = std::function<const Expression*(const Expression&)>;

// New nodes are made in the arena.
const Expression* Rewrite(const Expression& expression, const Replacement& replacement, TreeArena* arena);

}  // namespace lapse::query::plan
