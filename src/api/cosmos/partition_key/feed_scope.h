// The part of a container that a feed or a query reads: one partition key (or a prefix of one), one partition key
// range, a range of effective keys, or everything. Several of them mean their intersection.
#pragma once

#include <optional>
#include <string>

#include "api/cosmos/wire/errors.h"
#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "net/http.h"

namespace lapse::api::cosmos {

using FeedScope = engine::KeyScope;

// Returns a name for a feed in its continuations: its owner, and what part is read.
std::string FeedName(std::string owner, const FeedScope& scope);

// Returns an error if a header is malformed, or names a range that does not exist.
std::optional<ApiError> ReadFeedScope(const net::Request& request, const engine::Container& container,
                                      FeedScope* scope);

// Finds the partition that holds all of the scope. Returns an error if there is none, which makes clients reload the
// list of ranges, or if there are several.
std::optional<ApiError> FindOnePartition(const net::Request& request, const engine::Container& container,
                                         const FeedScope& scope, const engine::Partition** partition);

// Checks that every partition in the scope has what the client's session token demands, and returns the new token.
// Fails: kInvalidArgument, kSessionNotAvailable.
Result<std::string> FeedSession(const net::Request& request, const engine::Container& container,
                                const FeedScope& scope);

}  // namespace lapse::api::cosmos
