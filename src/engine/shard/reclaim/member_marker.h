// Lets the members of keys go whose items are gone (docs/design/expiry.md).
//
// A member carries no lifetime: its item's record alone decides. So the records of a partition are walked, those that
// are left are marked, and a compaction drops the members of all others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "base/status.h"
#include "engine/partition/view/open_pages.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"

namespace lapse::engine {

class PurgeFilter;

// Threads: any; Run: one at a time.
class MemberMarker {
 public:
  // Both must outlive it.
  MemberMarker(store::Shard* store, PurgeFilter* filter) : store_(store), filter_(filter) {}

  // Items were purged here, or had been before the start. `pages`: those of the partition's container.
  void Note(PartitionId partition, const PartitionTally& tally, const std::shared_ptr<OpenPages>& pages);
  void Forget(ContainerId container);
  // Marks partitions of which at least so many of the members are of items that were purged since their last mark. May
  // read the disk for long. Answers whether it marked any.
  bool Run(double dead_share_min);

 private:
  struct Purged {
    int64_t items = 0;   // ever
    int64_t marked = 0;  // of these, when the last mark was made
    int64_t stored = 0;
    std::shared_ptr<OpenPages> pages;
  };

  Status Mark(PartitionId partition, OpenPages* pages);

  store::Shard* const store_;
  PurgeFilter* const filter_;
  std::mutex mutex_;
  std::map<PartitionId, Purged> purged_;  // guarded by mutex_
};

}  // namespace lapse::engine
