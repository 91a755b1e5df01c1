// The handlers of requests about databases. Each answers its call exactly once. Those marked "blocks" must run where
// blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// databases.cc
void CreateDatabase(CallPtr call);  // blocks
void ListDatabases(CallPtr call);
void QueryDatabases(CallPtr call);  // blocks
void ReadDatabase(CallPtr call);
void DeleteDatabase(CallPtr call);  // blocks

}  // namespace lapse::api::cosmos
