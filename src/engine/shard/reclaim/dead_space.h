// What one store holds of the dead, and how its space comes back: the filter that compactions ask, the marker of
// members, and the reclaimer that runs compactions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/partition/view/open_pages.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_key.h"
#include "engine/records/partitions/partition_tally.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/shard/reclaim/member_marker.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "store/shard.h"
#include "ttl/floors.h"

namespace lapse::engine {

// Threads: any. Both must outlive it. Pages are those of the container; what is shown on one of them stays until it has
// ended.
class DeadSpace {
 public:
  // The filter is that of the store's families.
  DeadSpace(store::Shard* store, PurgeFilter* filter)
      : filter_(filter), marker_(store, filter), reclaimer_(store, &marker_) {}

  Reclaimer& reclaimer() { return reclaimer_; }
  PurgeFilter& filter() { return *filter_; }

  // --- Partitions and indexes that are there, before anything is written to them.
  void AddPartition(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies,
                    const std::shared_ptr<OpenPages>& pages);
  void AddIndex(IndexId index, ContainerId container) { filter_->AddIndex(index, container); }

  // --- What has died, for certain and durably.
  // Bodies of inheriting items with a sequence below `dead_below` are all dead.
  void Purged(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies,
              Sequence dead_below, const std::shared_ptr<OpenPages>& pages);
  // So many bytes of documents were replaced or deleted.
  void Replaced(uint64_t bytes);
  void GaveUp(const std::vector<IndexId>& indexes, const std::shared_ptr<OpenPages>& pages);
  void Dropped(ContainerId container, const std::shared_ptr<OpenPages>& pages);

 private:
  PurgeFilter* const filter_;
  MemberMarker marker_;
  Reclaimer reclaimer_;
};

}  // namespace lapse::engine
