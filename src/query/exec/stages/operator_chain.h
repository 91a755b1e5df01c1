// Builds a new chain from some operators of a plan.
#pragma once

#include <deque>
#include <vector>

#include "query/plan/operator.h"

namespace lapse::query::exec {

// Copies the operators, given from last to first, so that each is the input of the one before it. The copies are in
// `own`, which must outlive the chain. Returns the last operator, or null if there are none.
const plan::Operator* ChainOf(const std::vector<const plan::Operator*>& last_first, std::deque<plan::Operator>* own);

}  // namespace lapse::query::exec
