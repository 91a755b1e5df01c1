// How errors of a query look on the wire.
#pragma once

#include "api/cosmos/wire/errors.h"
#include "base/status.h"

namespace lapse::api::cosmos {

// Errors of the text are JSON already; the service puts a word before them.
ApiError QueryError(const Status& status);
// The same, asked for a plan.
ApiError PlanError(const Status& status);
// A query that may have to read several partition keys, from a client that did not say that it wants that.
ApiError CrossPartitionDisabled();

}  // namespace lapse::api::cosmos
