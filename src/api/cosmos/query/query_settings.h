// What a query takes from the request that it came with.
#pragma once

#include "api/cosmos/wire/call.h"
#include "query/functions/eval_context.h"

namespace lapse::api::cosmos {

// Without a time: a page over items has the time of what it reads.
query::EvalSettings QuerySettings(const Call& call);

}  // namespace lapse::api::cosmos
