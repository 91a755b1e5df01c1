// Whether a single item is in the answer of a query.
#pragma once

#include "base/status.h"
#include "query/exec/eval/item_view.h"
#include "query/functions/eval_context.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

// Whether the query considers each item by itself: no sort, group, distinct result or slice.
bool IsFilterOfItems(const plan::Query& query);

// Requires such a query, and an item of this size. Takes its steps (EvalSettings::steps_max) from `steps`. Fails:
// kTooLarge if the steps run out, if the query needs more memory than it may have, or if it visits more than 65,536
// array elements; or with the error of an expression.
Result<bool> Matches(const plan::Plan& plan, const ItemView* item, size_t item_bytes, const EvalSettings& settings,
                     uint64_t* steps);

}  // namespace lapse::query::exec
