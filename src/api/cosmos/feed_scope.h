// Which part of a container a feed or a query reads: one partition key (or a prefix of one), one partition key range, a
// range of effective keys, or everything. Several of them mean what they have in common.
#pragma once

#include <optional>
#include <string>

#include "api/cosmos/errors.h"
#include "engine/container.h"
#include "net/http.h"

namespace lapse::api::cosmos {

struct FeedScope {
  engine::EpkRange range = engine::WholeEpkSpace();
  std::optional<std::string> exact_epk;  // one logical partition; the range is then ignored

  bool Touches(const engine::EpkRange& partition) const;
};

// An error when a header is malformed, or names a range that does not exist.
std::optional<ApiError> ReadFeedScope(const net::Request& request, const engine::Container& container,
                                      FeedScope* scope);

}  // namespace lapse::api::cosmos
