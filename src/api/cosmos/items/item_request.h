// What the requests for one item have in common: where it is, and under which conditions.
#pragma once

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/items/item.h"

namespace lapse::api::cosmos {

// The logical partition that the partition key header names. Fails: kInvalidArgument, kPartitionKeyMismatch when it is
// not a whole key.
Result<engine::LogicalKey> KeyOf(const Call& call, const engine::Container& container);

// The item that the path and the partition key header name. Fails: the same.
Result<engine::ItemAddress> AddressOf(const Call& call, const engine::Container& container);

// What If-Match or If-None-Match asks of the item that a write finds: nothing, `*`, or the etag of a version. What is
// not an etag of this container is no version's. Fails: kInvalidArgument when both are given.
Result<engine::Precondition> PreconditionOf(const net::Request& request, const engine::Container& container);

}  // namespace lapse::api::cosmos
