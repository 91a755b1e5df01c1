// Everything that works on one store: its open partitions and the background work beside their commits.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "base/clock.h"
#include "base/status.h"
#include "engine/memory/item_cache.h"
#include "engine/memory/known_lists.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_facts.h"
#include "engine/records/prices/spare_units.h"
#include "engine/shard/builds/index_builder.h"
#include "engine/shard/partitions/container_context.h"
#include "engine/shard/partitions/leaders.h"
#include "engine/shard/partitions/partition.h"
#include "engine/shard/partitions/sweep_inbox.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/shard/reclaim/dead_space.h"
#include "engine/shard/sweep/sweeper.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: any. Owns: the background work on its store. All that is passed by pointer must outlive the shard, and the
// shard must outlive its partitions.
class Shard {
 public:
  // The filter is the one that the store's families were opened with.
  Shard(ShardNumber number, store::Shard* store, PurgeFilter* filter, Leaders* leaders, StoreClock* clock,
        const SteadyClock* steady, ItemCache* cache, KnownListsMemory* known_lists, const CommitOptions& commit,
        const SweeperOptions& sweeper);

  ShardNumber number() const { return number_; }
  store::Shard* store() const { return store_; }
  DeadSpace& dead_space() { return dead_space_; }
  Sweeper& sweeper() { return sweeper_; }
  IndexBuilder& index_builder() { return index_builder_; }
  Reclaimer& reclaimer() { return dead_space_.reclaimer(); }

  // Opens a partition of this shard as its store holds it.
  std::shared_ptr<Partition> OpenPartition(PartitionFacts facts, std::shared_ptr<ContainerContext> container,
                                           const PartitionStart& start, std::shared_ptr<SpareUnits> spare_units);
  // Partitions opened so far.
  size_t opened() const { return opened_.load(std::memory_order_relaxed); }

  // Starts sweeping, building and reclaiming in the background.
  void StartBackground();
  // Returns when no background work is under way and none will start.
  void StopBackground();

 private:
  const ShardNumber number_;
  store::Shard* const store_;
  DeadSpace dead_space_;
  SweepInbox sweep_inbox_;
  const PartitionHome home_;
  Sweeper sweeper_;
  IndexBuilder index_builder_;
  std::atomic<size_t> opened_{0};
};

}  // namespace lapse::engine
