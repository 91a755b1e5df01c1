// Whether a part of a plan looks at a slot.
#pragma once

#include "query/plan/operator.h"

namespace lapse::query::plan {

// Also within sub-queries.
bool UsesSlot(const Expression& expression, Slot slot);
// Of one operator, without its input.
bool UsesSlot(const Operator& op, Slot slot);

}  // namespace lapse::query::plan
