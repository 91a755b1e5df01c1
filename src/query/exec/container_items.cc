#include "query/exec/container_items.h"

#include <limits>
#include <utility>

namespace lapse::query::exec {

Result<std::string> ContainerItems::Walk(std::string after, bool until_end, const TakeItem& take) {
  constexpr int kAllItems = std::numeric_limits<int>::max();
  const engine::FeedOptions feed{scope_, std::move(after), kAllItems, until_end};
  const auto take_one = [&](const engine::Item& item, engine::Place) {
    item_->Set(item);
    return take(item.meta.number, item.document.size());
  };
  LAPSE_ASSIGN_OR_RETURN(engine::FeedPage page, container_.ReadFeed(feed, take_one, meter_));
  return std::move(page.resume_after);
}

}  // namespace lapse::query::exec
