// The change feed of one partition: its items in the order of their last write, or every retained change.
//
// Bodies are stored in commit order, one for each item, so the latest-version feed needs no storage of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/status.h"
#include "engine/partition/reads/item_feed.h"
#include "engine/partition/view/page_view.h"
#include "engine/partition/view/partition_state.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

struct ChangesOptions {
  PartitionNumber partition = 0;
  KeyScope scope;                  // only items of these keys
  Sequence after = 0;              // position from an earlier page; 0: from the beginning
  bool from_now = false;           // start behind everything written so far; `after` is ignored
  std::optional<int64_t> since_s;  // only items written in this second or later
  int items_max = 100;
  int items_before = 0;  // items already on the page when expired records cut it short; this call reads its rest
};

struct ChangesPage {
  // All changes up to here were shown or do not belong to the feed. The next page starts here, and a write ends here.
  Sequence last = 0;
  bool more = false;       // there may be more now
  bool cut_short = false;  // the page ended early because of expired records
  int items = 0;
  int64_t items_milli_ru = 0;
};

// Like TakeItem, for a logged change.
using TakeChange = std::function<bool(const LoggedChange& change, Place place)>;

// A page ends only where a write ends, so no reader sees a part of a write. The page exceeds its maximum number of
// items for the rest of a write, whose changes must be on the page. Threads: one.
class ChangeFeed {
 public:
  // The page must be open. The partition and the view must outlive the feed.
  ChangeFeed(const PartitionState& partition, const PageView& view, const SteadyClock& steady)
      : partition_(partition), view_(view), steady_(steady) {}

  // Reads live items in the order of their last write. A chain of pages omits no change, repeats none, and shows each
  // at least as the item's latest version. Fails: kInvalidArgument for a position ahead of all changes.
  Result<ChangesPage> ReadLatestVersions(const ChangesOptions& options, const TakeItem& take);

  // Reads every retained change in commit order. Ignores `since_s`. Also fails: kUnsupported if the container keeps no
  // changes; kNoLongerKept for a position before the first retained change.
  Result<ChangesPage> ReadAllVersions(const ChangesOptions& options, const TakeChange& take);

 private:
  const PartitionState& partition_;
  const PageView& view_;
  const SteadyClock& steady_;
};

}  // namespace lapse::engine
