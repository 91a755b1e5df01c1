// Which part of a container a feed or a query reads: one partition key (or a prefix of one), one partition key range, a
// range of effective keys, or everything. Several of them mean what they have in common.
#pragma once

#include <optional>
#include <string>

#include "api/cosmos/wire/errors.h"
#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "net/http.h"

namespace lapse::api::cosmos {

using FeedScope = engine::KeyScope;

// Names a feed in its continuations: whose it is, and what of it is read.
std::string FeedName(std::string owner, const FeedScope& scope);

// An error when a header is malformed, or names a range that does not exist.
std::optional<ApiError> ReadFeedScope(const net::Request& request, const engine::Container& container,
                                      FeedScope* scope);

// The partition that holds all of the scope. An error when there is none, which sends clients back to the list of
// ranges, or when there are several.
std::optional<ApiError> FindOnePartition(const net::Request& request, const engine::Container& container,
                                         const FeedScope& scope, const engine::Partition** partition);

// What the client asks to see of every partition in the scope must be there; what it will have seen is the new token.
// Fails: kInvalidArgument, kSessionNotAvailable.
Result<std::string> FeedSession(const net::Request& request, const engine::Container& container,
                                const FeedScope& scope);

}  // namespace lapse::api::cosmos
