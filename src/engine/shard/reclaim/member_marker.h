// Lets the members of keys go whose items are gone (docs/design/expiry.md).
//
// A member carries no lifetime: its item's record alone decides. So the records of a partition are walked, those that
// are left are marked, and a compaction drops the members of all others.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/tally/partition_tally.h"
#include "engine/shard/shards.h"

namespace lapse::engine {

class OpenPages;
class PurgeFilter;

// Threads: any; Run: one at a time.
class MemberMarker {
 public:
  // All must outlive it.
  MemberMarker(Shards* shards, OpenPages* pages, PurgeFilter* filter)
      : shards_(shards), pages_(pages), filter_(filter) {}

  // Items were purged here, or had been before the start.
  void Note(PartitionId partition, const PartitionTally& tally);
  // Marks partitions of which at least so many of the members are of items that were purged since their last mark. May
  // read the disk for long. Answers whether it marked any.
  bool Run(double dead_share_min);

 private:
  struct Purged {
    int64_t items = 0;   // ever
    int64_t marked = 0;  // of these, when the last mark was made
    int64_t stored = 0;
  };

  Status Mark(PartitionId partition);

  Shards* const shards_;
  OpenPages* const pages_;
  PurgeFilter* const filter_;
  std::mutex mutex_;
  std::map<PartitionId, Purged> purged_;  // guarded by mutex_
};

}  // namespace lapse::engine
