#include "engine/engine.h"

#include <optional>
#include <utility>

#include "engine/memory/item_cache.h"
#include "engine/memory/known_lists.h"
#include "engine/shard/partitions/leaders.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/time/clock_era.h"
#include "engine/time/clock_mark.h"

namespace lapse::engine {
namespace {

Result<std::optional<ttl::StoreTimeMark>> LoadMark(const ClockMark& kept, bool test_clock) {
  LAPSE_ASSIGN_OR_RETURN(std::optional<ttl::StoreTimeMark> mark, kept.Load());
  if (mark.has_value() && mark->test_clock != test_clock) {
    return Status(Code::kInvalidArgument,
                  mark->test_clock ? "this data was used with the test clock; start with --test-clock"
                                   : "this data was not used with the test clock; start without --test-clock");
  }
  return mark;
}

}  // namespace

// In order of construction: each member may use those above it.
struct Engine::Parts {
  Parts(const EngineOptions& all_options, Executor* commits)
      : options(all_options),
        leaders(commits),
        cache(all_options.item_cache_bytes),
        known_lists(all_options.known_lists_bytes, all_options.known_list_items_min) {}

  void AddShard(const StoreOfShard& store, const CommitOptions& commit, const SweeperOptions& sweeper) {
    PurgeFilter* filter = store.filter;
    if (filter == nullptr) {
      unused_filters.push_back(std::make_unique<PurgeFilter>());
      filter = unused_filters.back().get();
    }
    shards.push_back(std::make_unique<Shard>(static_cast<ShardNumber>(shards.size()), store.store, filter, &leaders,
                                             clock.get(), options.steady, &cache, &known_lists, commit, sweeper));
  }

  const EngineOptions options;
  Leaders leaders;
  ItemCache cache;
  KnownListsMemory known_lists;
  std::unique_ptr<StoreClock> clock;
  std::vector<std::unique_ptr<PurgeFilter>> unused_filters;  // for stores that ask no filter
  std::vector<std::unique_ptr<Shard>> shards;
  CatalogView view;
  std::unique_ptr<CatalogStore> catalog;
};

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options, const std::vector<StoreOfShard>& stores,
                                             Executor* commits) {
  auto parts = std::make_unique<Parts>(options, commits);
  const ClockMark kept(stores.front().store, options.clock_slot);
  LAPSE_ASSIGN_OR_RETURN(const std::optional<ttl::StoreTimeMark> mark, LoadMark(kept, options.test_clock));
  parts->clock =
      std::make_unique<StoreClock>(*options.wall, *options.steady, options.clock_limits, mark, options.test_clock,
                                   [kept](const ttl::StoreTimeMark& now) { return kept.Save(now); });
  CommitOptions commit;
  commit.durability = options.durability;
  commit.group_bytes_max = options.group_bytes_max;
  commit.logical_partition_bytes_max = options.logical_partition_bytes_max;
  LAPSE_ASSIGN_OR_RETURN(commit.clock_was_reset, ClockWasReset(stores.front().store));
  SweeperOptions sweeper = options.sweeper;
  sweeper.share /= static_cast<double>(stores.size());
  for (const StoreOfShard& store : stores) parts->AddShard(store, commit, sweeper);

  std::vector<Shard*> shards;
  for (const auto& shard : parts->shards) shards.push_back(shard.get());
  const ReaderParts readers{.clock = parts->clock.get(),
                            .steady = options.steady,
                            .cache = &parts->cache,
                            .clock_was_reset = commit.clock_was_reset,
                            .dead_run_entries_min = options.dead_run_entries_min};
  const CatalogOptions catalog{options.durability, options.rate_limiting, options.derivation};
  parts->catalog = std::make_unique<CatalogStore>(catalog, shards, readers, &parts->view);
  LAPSE_RETURN_IF_ERROR(parts->catalog->Load());
  for (Shard* shard : shards) {
    shard->dead_space().filter().KnowsAllUpTo(parts->view.state()->ids.last_container);
    shard->index_builder().set_on_whole([store = parts->catalog.get()](const Partition& partition, IndexId index) {
      return store->IndexIsWhole(partition.id(), index);
    });
    shard->sweeper().AlsoRun([store = parts->catalog.get(), shard] {
      // Whatever stays in doubt is not swept, and the next turn asks again.
      static_cast<void>(store->Settle());
      return shard->index_builder().RunTurn();
    });
  }
  if (options.background_clock) parts->clock->StartTicker();
  if (options.background_sweeper) {
    for (Shard* shard : shards) shard->StartBackground();
  }
  return std::unique_ptr<Engine>(new Engine(std::move(parts)));
}

Engine::Engine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Engine::~Engine() {
  for (const auto& shard : parts_->shards) shard->StopBackground();
  parts_->leaders.WaitForNone();
}

CatalogView& Engine::catalog() {
  return parts_->view;
}
CatalogStore& Engine::catalog_store() {
  return *parts_->catalog;
}
StoreClock& Engine::clock() {
  return *parts_->clock;
}
const std::vector<std::unique_ptr<Shard>>& Engine::shards() const {
  return parts_->shards;
}
const EngineOptions& Engine::options() const {
  return parts_->options;
}

Status Engine::Writable() {
  for (const auto& shard : parts_->shards) LAPSE_RETURN_IF_ERROR(shard->store()->Writable());
  return Status::Ok();
}

bool Engine::SweepTurn() {
  static_cast<void>(parts_->catalog->Settle());
  bool any = false;
  for (const auto& shard : parts_->shards) any |= shard->sweeper().RunTurn();
  return any;
}

bool Engine::BuildTurn() {
  bool any = false;
  for (const auto& shard : parts_->shards) any |= shard->index_builder().RunTurn();
  return any;
}

bool Engine::ReclaimTurn() {
  bool any = false;
  for (const auto& shard : parts_->shards) any |= shard->reclaimer().RunTurn();
  return any;
}

bool Engine::QuietReclaimTurn() {
  bool any = false;
  for (const auto& shard : parts_->shards) any |= shard->reclaimer().RunQuietTurn();
  return any;
}

}  // namespace lapse::engine
