// What the requests for one item have in common: where it is, and under which conditions.
#pragma once

#include <string_view>

#include "api/cosmos/wire/call.h"
#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/items/item.h"

namespace lapse::api::cosmos {

// The item that the path and the partition key header name. Fails: kInvalidArgument.
Result<engine::ItemAddress> AddressOf(const Call& call, const engine::Container& container);

// What If-Match or If-None-Match asks of the item that a write finds: nothing, `*`, or the etag of a version. What is
// not an etag of this container is no version's. Fails: kInvalidArgument when both are given.
Result<engine::Precondition> PreconditionOf(const net::Request& request, const engine::Container& container);
// The same by the values; empty: not given.
Result<engine::Precondition> PreconditionFrom(std::string_view if_match, std::string_view if_none_match,
                                              const engine::Container& container);

// What an etag says that a reader has already: a version of this container, any (`*`), or nothing that is known here.
engine::Precondition VersionAtClient(std::string_view etag, const engine::Container& container);

// That the request names no trigger: there are none. Fails: kUnsupported.
Status RefuseTriggers(const net::Request& request);

}  // namespace lapse::api::cosmos
