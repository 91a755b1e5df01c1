#include "engine/catalog/containers/container_feed.h"

#include <optional>
#include <utility>

#include "engine/catalog/containers/container.h"
#include "engine/catalog/containers/index_page.h"
#include "engine/records/items/feed_position.h"

namespace lapse::engine {
namespace {

Status NotInScope() {
  return {Code::kInvalidArgument, "the position is not within the range that is read"};
}

// Whether a feed of this scope may return this position in this partition.
bool Fits(const FeedPosition& position, const KeyScope& scope, const PartitionState& partition) {
  const bool whole = scope.Covers(partition.range());
  if (position.order == FeedPosition::Order::kRecords) return whole && PartitionOf(position.item) == partition.number();
  return !whole && partition.range().Contains(position.key.epk) && scope.Contains(position.key.epk, position.key.value);
}

}  // namespace

Result<size_t> FirstPartitionOf(const Container& container, const KeyScope& scope, std::string_view after) {
  const Partitions& partitions = container.partitions();
  if (after.empty()) {
    for (size_t i = 0; i < partitions.size(); ++i) {
      if (scope.Touches(partitions[i]->range())) return i;
    }
    return size_t{0};
  }
  LAPSE_ASSIGN_OR_RETURN(const FeedPosition position, FeedPosition::Decode(after));
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (Fits(position, scope, *partitions[i])) return i;
  }
  return NotInScope();
}

Result<FeedPage> ReadFeedOf(const Container& container, const std::vector<PageView>& views, const SteadyClock& steady,
                            const FeedOptions& options, std::function<bool()> is_late, const TakeItem& take) {
  LAPSE_ASSIGN_OR_RETURN(const size_t first, FirstPartitionOf(container, options.scope, options.after));
  std::optional<FeedPosition> position;
  if (!options.after.empty()) {
    LAPSE_ASSIGN_OR_RETURN(position, FeedPosition::Decode(options.after));
  }
  ItemFeed feed(options, steady, std::move(is_late), take);
  auto go = ItemFeed::Go::kOn;
  size_t last = first;
  for (size_t i = first; i < views.size() && go == ItemFeed::Go::kOn; ++i) {
    const PartitionState& partition = *container.partitions()[i];
    if (!options.scope.Touches(partition.range())) continue;
    last = i;
    LAPSE_ASSIGN_OR_RETURN(go, feed.ReadPartition(partition, views[i], position));
    position.reset();
  }
  FeedPage page = feed.TakePage(go);
  page.first_partition = first;
  page.last_partition = last;
  return page;
}

Result<FeedPage> ReadFeedOfPage(const IndexPage& page, const FeedOptions& options, std::function<bool()> is_late,
                                const TakeItem& take) {
  return ReadFeedOf(page.container(), page.views(), page.steady(), options, std::move(is_late), take);
}

}  // namespace lapse::engine
