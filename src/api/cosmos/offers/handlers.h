// The handlers of requests about offers. Each answers its call exactly once. Those marked "blocks" must run where
// blocking is allowed.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// offers.cc
void ListOffers(CallPtr call);
void QueryOffers(CallPtr call);  // blocks
void ReadOffer(CallPtr call);
void ReplaceOffer(CallPtr call);  // blocks

}  // namespace lapse::api::cosmos
