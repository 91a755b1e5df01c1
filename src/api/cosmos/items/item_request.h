// What the requests for one item have in common: where it is, and under which conditions.
#pragma once

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/items/item.h"

namespace lapse::api::cosmos {

// The partition key that the header names, which a request for one item must have. Fails: kInvalidArgument,
// kPartitionKeyMismatch.
Result<engine::LogicalKey> KeyOf(const Call& call, const engine::Container& container);

// What If-Match or If-None-Match asks of the item that a write finds: nothing, `*`, or the etag of a version. What is
// not an etag of this container is no version's. Fails: kInvalidArgument when both are given.
Result<engine::Precondition> PreconditionOf(const net::Request& request, const engine::Container& container);

}  // namespace lapse::api::cosmos
