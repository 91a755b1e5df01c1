// Some operators of a plan, chained anew.
#pragma once

#include <deque>
#include <vector>

#include "query/plan/operator.h"

namespace lapse::query::exec {

// Copies the operators, given from the last to the first, so that each is the input of the one before it. The copies
// are in `own`, which must outlive the chain. The last of them; null: there are none.
const plan::Operator* ChainOf(const std::vector<const plan::Operator*>& last_first, std::deque<plan::Operator>* own);

}  // namespace lapse::query::exec
