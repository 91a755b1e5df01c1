// The change feed of one partition: its items in the order of their last write, or every change that is kept.
//
// Bodies lie in commit order and are there once for every item, so the latest-version feed needs nothing of its own.
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
  bool from_now = false;           // behind everything that was written up to now; `after` does not count then
  std::optional<int64_t> since_s;  // only what was written in this second or later
  int items_max = 100;
  int items_before = 0;  // that were on the page before expired records cut it short; this is its rest
};

struct ChangesPage {
  // All changes up to here were shown or do not belong to the feed; where the next page starts. A write ends here.
  Sequence last = 0;
  bool more = false;       // there may be more now
  bool cut_short = false;  // it ended early because of expired records
  int items = 0;
  int64_t items_milli_ru = 0;
};

// As TakeItem, for a change of the log.
using TakeChange = std::function<bool(const LoggedChange& change, Place place)>;

// A page ends only where a write ends: nobody sees a part of a write. For the rest of a write it exceeds its number of
// items, and what comes then must be on the page. Threads: one.
class ChangeFeed {
 public:
  // What it sees of the partition; the page is open. Both must outlive it.
  ChangeFeed(const PartitionState& partition, const PageView& view, const SteadyClock& steady)
      : partition_(partition), view_(view), steady_(steady) {}

  // Live items in the order of their last write. A chain of pages shows every change at least in its latest version,
  // none twice, and leaves none out. Fails: kInvalidArgument for a position ahead of all changes.
  Result<ChangesPage> ReadLatestVersions(const ChangesOptions& options, const TakeItem& take);

  // Every change in commit order, as far back as the container keeps them. `since_s` is not looked at. Also fails:
  // kUnsupported when it keeps none; kNoLongerKept for a position before the first that is kept.
  Result<ChangesPage> ReadAllVersions(const ChangesOptions& options, const TakeChange& take);

 private:
  const PartitionState& partition_;
  const PageView& view_;
  const SteadyClock& steady_;
};

}  // namespace lapse::engine
