// The handler of requests about the account. It answers its call exactly once.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// account.cc
void ReadAccount(CallPtr call);

}  // namespace lapse::api::cosmos
