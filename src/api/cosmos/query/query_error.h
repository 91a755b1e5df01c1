// Query errors on the wire.
#pragma once

#include "api/cosmos/wire/errors.h"
#include "base/status.h"

namespace lapse::api::cosmos {

// Errors of the text are JSON already. The service puts a word before them.
ApiError QueryError(const Status& status);
// The same for a query plan.
ApiError PlanError(const Status& status);
// The error for a query that may read several partition keys, if the client did not enable that.
ApiError CrossPartitionDisabled();

}  // namespace lapse::api::cosmos
