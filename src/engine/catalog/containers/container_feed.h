// Pages of a feed over all partitions of a container.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "engine/partition/reads/item_feed.h"
#include "engine/partition/view/page_view.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

class Container;
class IndexPage;

// Returns the index in Container::partitions() at which a feed of this scope begins or resumes. Fails: kInvalidArgument
// for a position outside the scope.
Result<size_t> FirstPartitionOf(const Container& container, const KeyScope& scope, std::string_view after);

// Reads one page over the views of each partition. `is_late`: see ItemFeed.
Result<FeedPage> ReadFeedOf(const Container& container, const std::vector<PageView>& views, const SteadyClock& steady,
                            const FeedOptions& options, std::function<bool()> is_late, const TakeItem& take);
// Reads one page over the views of a query's page, so that a query can find items in several ways at one moment.
Result<FeedPage> ReadFeedOfPage(const IndexPage& page, const FeedOptions& options, std::function<bool()> is_late,
                                const TakeItem& take);

}  // namespace lapse::engine
