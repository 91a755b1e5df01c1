// The settings that a query takes from its request.
#pragma once

#include "api/cosmos/wire/call.h"
#include "query/functions/eval_context.h"

namespace lapse::api::cosmos {

// Leaves the time unset: a page over items uses the time of what it reads.
query::EvalSettings QuerySettings(const Call& call);

}  // namespace lapse::api::cosmos
