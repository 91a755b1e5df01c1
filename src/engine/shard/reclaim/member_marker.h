// Lets compactions drop the members of keys whose items are gone (docs/design/expiry.md).
//
// A member carries no lifetime: its item's record alone decides. So a scan of a partition's records marks the items
// that still exist, and a compaction drops the members of all others.
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

  // Notes that items were purged here, now or before the start. `pages`: those of the partition's container.
  void Note(PartitionId partition, const PartitionTally& tally, const std::shared_ptr<OpenPages>& pages);
  void Forget(ContainerId container);
  // Marks the partitions in which at least this share of the members belongs to items purged since the last mark. May
  // read the disk for a long time. Returns whether it marked any.
  bool Run(double dead_share_min);

 private:
  struct Purged {
    int64_t items = 0;   // items purged so far
    int64_t marked = 0;  // items purged when the last mark was made
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
