// The change feed: the items of a partition in the order of their last write.
//
// Bodies lie in commit order and are there once for every item, so the latest-version feed needs nothing of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/status.h"
#include "engine/items/item.h"
#include "engine/partition_key/partition_key.h"

namespace lapse::engine {

struct ChangesOptions {
  uint32_t stream = 0;                   // the partition
  EpkRange range = WholeEpkSpace();      // only items with an epk in it
  std::optional<std::string> exact_epk;  // only items of this one logical partition (range is then ignored)
  uint64_t after_lsn = 0;                // position from an earlier page; 0: from the beginning
  std::optional<int64_t> since_s;        // only what was written in this second or later
  int items_max = 100;
  size_t bytes_max = 4 * 1024 * 1024;  // of documents; one item is always returned
};

struct ChangesPage {
  // All changes up to here were shown or do not belong to the feed; where the next page starts.
  uint64_t last_lsn = 0;
  bool more = false;       // there may be more now
  bool cut_short = false;  // it ended early because of expired records
};

}  // namespace lapse::engine
