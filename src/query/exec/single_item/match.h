// Whether a single item is in the answer of a query.
#pragma once

#include "base/status.h"
#include "query/exec/eval/item_view.h"
#include "query/functions/eval_context.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

// Whether the query asks of each item by itself: no sort, group, distinct result or slice.
bool IsFilterOfItems(const plan::Query& query);

// Of such a query, for an item of so many bytes. Takes its steps (EvalSettings::steps_max) from `steps`.
// Fails: kTooLarge when there are not as many, when it needs more memory than it may have, or goes through more than
// 65,536 elements of arrays; what expressions fail with.
Result<bool> Matches(const plan::Plan& plan, const ItemView* item, size_t item_bytes, const EvalSettings& settings,
                     uint64_t* steps);

}  // namespace lapse::query::exec
