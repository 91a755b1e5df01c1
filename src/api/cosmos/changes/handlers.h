// The handler of the change feed. It answers its call exactly once, and must run where blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// change_feed.cc
void ReadChangeFeed(CallPtr call);

}  // namespace lapse::api::cosmos
