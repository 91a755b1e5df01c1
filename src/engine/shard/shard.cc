#include "engine/shard/shard.h"

#include <utility>

namespace lapse::engine {

Shard::Shard(ShardNumber number, store::Shard* store, PurgeFilter* filter, Leaders* leaders, StoreClock* clock,
             const SteadyClock* steady, ItemCache* cache, KnownListsMemory* known_lists, const CommitOptions& commit,
             const SweeperOptions& sweeper)
    : number_(number),
      store_(store),
      dead_space_(store, filter),
      home_{.store = store,
            .dead_space = &dead_space_,
            .sweep_inbox = &sweep_inbox_,
            .leaders = leaders,
            .clock = clock,
            .steady = steady,
            .cache = cache,
            .known_lists = known_lists,
            .commit = commit},
      sweeper_(sweeper, store, &sweep_inbox_, clock, steady),
      index_builder_({.share = sweeper.share}, steady) {}

std::shared_ptr<Partition> Shard::OpenPartition(PartitionFacts facts, std::shared_ptr<ContainerContext> container,
                                                const PartitionStart& start, std::shared_ptr<SpareUnits> spare_units) {
  opened_.fetch_add(1, std::memory_order_relaxed);
  return std::make_shared<Partition>(std::move(facts), std::move(container), start, std::move(spare_units), home_);
}

void Shard::StartBackground() {
  sweeper_.Start();
  reclaimer().Start();
}

void Shard::StopBackground() {
  sweeper_.Stop();
  reclaimer().Stop();
}

}  // namespace lapse::engine
