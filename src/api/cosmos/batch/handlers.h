// The handler of requests that hold several operations on items. It answers its call exactly once.
#pragma once

#include "api/cosmos/wire/call.h"

namespace lapse::api::cosmos {

// batch_request.cc: transactional batches, and bulk requests
void RunBatch(CallPtr call);

}  // namespace lapse::api::cosmos
