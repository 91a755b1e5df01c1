// The handlers of requests about conflicts. Each answers its call exactly once. Those marked "blocks" must run where
// blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// conflicts.cc
void ListConflicts(CallPtr call);
void QueryConflicts(CallPtr call);  // blocks
void FindConflict(CallPtr call);    // for reads and deletes: there is never one

}  // namespace lapse::api::cosmos
