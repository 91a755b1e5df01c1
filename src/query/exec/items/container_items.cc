#include "query/exec/items/container_items.h"

#include <functional>
#include <limits>
#include <utility>

#include "engine/catalog/containers/container_feed.h"

namespace lapse::query::exec {

Result<std::string> ContainerItems::Scan(std::string after, bool until_end, const TakeItem& take) {
  constexpr int kAllItems = std::numeric_limits<int>::max();
  engine::FeedOptions feed{scope_, std::move(after), kAllItems, until_end, {}};
  std::function<bool()> is_late;
  if (until_end) is_late = [this] { return watch_.TimeIsUp(); };
  feed.look = [this] {
    watch_.MoveOn();
    return watch_.Look();
  };
  const auto take_one = [&](const engine::Item& item, engine::Place) {
    item_->Set(item);
    return take(item.meta.number, item.document);
  };
  LAPSE_ASSIGN_OR_RETURN(engine::FeedPage page,
                         engine::ReadFeedOfPage(page_.view(), feed, std::move(is_late), take_one));
  if (meter_ != nullptr) meter_->ExtendTo(page.last_partition);
  cut_short_ = page.cut_short;
  return std::move(page.resume_after);
}

}  // namespace lapse::query::exec
