// The dead records of one store and how their space is reclaimed: the filter that compactions ask, the marker of
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

// Threads: any. The store and the filter must outlive it. Pages are those of the container: records that a page shows
// are kept until it has ended.
class DeadSpace {
 public:
  // The filter is the one that the store's families were opened with.
  DeadSpace(store::Shard* store, PurgeFilter* filter)
      : filter_(filter), marker_(store, filter), reclaimer_(store, &marker_) {}

  Reclaimer& reclaimer() { return reclaimer_; }
  PurgeFilter& filter() { return *filter_; }

  // --- Partitions and indexes that exist, before anything is written to them.
  void AddPartition(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies,
                    const std::shared_ptr<OpenPages>& pages);
  void AddIndex(IndexId index, ContainerId container) { filter_->AddIndex(index, container); }

  // --- What is certainly and durably dead.
  // Bodies of inheriting items with a sequence below `dead_below` are all dead.
  void Purged(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies,
              Sequence dead_below, const std::shared_ptr<OpenPages>& pages);
  // Counts bytes of documents that were replaced or deleted.
  void Replaced(uint64_t bytes);
  void GaveUp(const std::vector<IndexId>& indexes, const std::shared_ptr<OpenPages>& pages);
  void Dropped(ContainerId container, const std::shared_ptr<OpenPages>& pages);

 private:
  PurgeFilter* const filter_;
  MemberMarker marker_;
  Reclaimer reclaimer_;
};

}  // namespace lapse::engine
