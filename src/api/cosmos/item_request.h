// What the requests for one item have in common: where it is, and under which conditions.
#pragma once

#include <string_view>

#include "api/cosmos/call.h"
#include "base/status.h"
#include "engine/container.h"
#include "engine/item.h"

namespace lapse::api::cosmos {

// The item that the path and the partition key header name. Fails: kInvalidArgument.
Result<engine::ItemAddress> AddressOf(const Call& call, const engine::Container& container);

// If-Match: nothing, `*`, or the etag of a version. What is not an etag of this container matches no version.
engine::Precondition PreconditionOf(std::string_view if_match, const engine::Container& container);

}  // namespace lapse::api::cosmos
