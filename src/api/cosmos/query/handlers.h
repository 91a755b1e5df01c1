// The handlers of queries over items, and of query plans. Each answers its call exactly once. Those marked "blocks"
// must run where blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// query_items.cc
void QueryItems(CallPtr call);  // blocks

// plan_query.cc
void PlanQuery(CallPtr call);

}  // namespace lapse::api::cosmos
