// A page of a feed that sees what another page sees: for queries, which find items in several ways at one moment.
#pragma once

#include <cstdint>
#include <functional>

#include "base/status.h"
#include "engine/partition/reads/item_feed.h"

namespace lapse::engine {

class IndexPage;

// As ItemFeed::ReadPage. `is_late`: whether its time is up, whatever the options say; empty: it never is.
Result<FeedPage> ReadFeedOfPage(const IndexPage& page, const FeedOptions& options, std::function<bool()> is_late,
                                const TakeItem& take);

}  // namespace lapse::engine
