// A page of a feed that sees what another page sees: for queries, which find items in several ways at one moment.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "engine/items/item_feed.h"

namespace lapse::engine {

class IndexPage;

// As ItemFeed::ReadPage. `ends_ns`: when its time is up, by the steady clock of the page, whatever the options say.
Result<FeedPage> ReadFeedOfPage(const IndexPage& page, const FeedOptions& options, std::optional<int64_t> ends_ns,
                                const TakeItem& take);

}  // namespace lapse::engine
