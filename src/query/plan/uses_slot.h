// Whether a part of a plan reads a slot.
#pragma once

#include "query/plan/operator.h"

namespace lapse::query::plan {

// Includes sub-queries.
bool UsesSlot(const Expression& expression, Slot slot);
// Checks one operator, without its input.
bool UsesSlot(const Operator& op, Slot slot);

}  // namespace lapse::query::plan
