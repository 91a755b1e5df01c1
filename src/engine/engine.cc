#include "engine/engine.h"

#include <optional>
#include <utility>

#include "engine/memory/item_cache.h"
#include "engine/memory/known_lists.h"
#include "engine/partition/view/open_pages.h"
#include "engine/shard/builds/index_builder.h"
#include "engine/shard/partitions/leaders.h"
#include "engine/shard/partitions/sweep_inbox.h"
#include "engine/shard/purge/purge_filter.h"
#include "engine/shard/reclaim/member_marker.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "engine/shard/shards.h"
#include "engine/time/clock_era.h"
#include "engine/time/clock_mark.h"

namespace lapse::engine {

// In the order in which they are made: those below use those above.
struct Engine::Parts {
  Parts(const EngineOptions& all_options, store::Shard* one_shard, Executor* commits)
      : options(all_options),
        shard(one_shard),
        shards(one_shard),
        leaders(commits),
        filter(all_options.purge_filter != nullptr ? all_options.purge_filter : &unused_filter),
        cache(all_options.item_cache_bytes),
        known_lists(all_options.known_lists_bytes, all_options.known_list_items_min),
        marker(&shards, &pages, filter),
        reclaimer(one_shard, &marker) {}

  const EngineOptions options;
  store::Shard* const shard;
  Shards shards;
  Leaders leaders;
  OpenPages pages;
  SweepInbox sweep_inbox;
  PurgeFilter unused_filter;  // where the shard asks none
  PurgeFilter* const filter;
  ItemCache cache;
  KnownListsMemory known_lists;
  MemberMarker marker;
  Reclaimer reclaimer;
  std::unique_ptr<StoreClock> clock;
  std::unique_ptr<Catalog> catalog;
  std::unique_ptr<IndexBuilder> index_builder;
  std::unique_ptr<Sweeper> sweeper;
};

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options, store::Shard* shard, Executor* commits) {
  auto parts = std::make_unique<Parts>(options, shard, commits);
  const ClockMark kept(parts->shards.catalog(), options.clock_slot);
  LAPSE_ASSIGN_OR_RETURN(std::optional<ttl::StoreTimeMark> mark, kept.Load());
  if (mark.has_value() && mark->test_clock != options.test_clock) {
    return Status(Code::kInvalidArgument,
                  mark->test_clock ? "this data was used with the test clock; start with --test-clock"
                                   : "this data was not used with the test clock; start without --test-clock");
  }
  parts->clock =
      std::make_unique<StoreClock>(*options.wall, *options.steady, options.clock_limits, mark, options.test_clock,
                                   [kept](const ttl::StoreTimeMark& now) { return kept.Save(now); });
  CommitParts commit;
  commit.shards = &parts->shards;
  commit.clock = parts->clock.get();
  commit.steady = options.steady;
  commit.cache = &parts->cache;
  commit.known_lists = &parts->known_lists;
  commit.pages = &parts->pages;
  commit.leaders = &parts->leaders;
  commit.purge_filter = parts->filter;
  commit.marker = &parts->marker;
  commit.sweep_inbox = &parts->sweep_inbox;
  commit.reclaimer = &parts->reclaimer;
  commit.derivation = options.derivation;
  commit.durability = options.durability;
  commit.group_bytes_max = options.group_bytes_max;
  commit.dead_run_entries_min = options.dead_run_entries_min;
  commit.logical_partition_bytes_max = options.logical_partition_bytes_max;
  LAPSE_ASSIGN_OR_RETURN(commit.clock_was_reset, ClockWasReset(shard));
  parts->catalog = std::make_unique<Catalog>(CatalogParts{commit, options.rate_limiting});
  LAPSE_RETURN_IF_ERROR(parts->catalog->Load());
  commit.purge_filter->KnowsAllUpTo(parts->catalog->LastContainer());
  parts->index_builder =
      std::make_unique<IndexBuilder>(IndexBuilderOptions{options.sweeper.share}, parts->catalog.get(), commit);
  parts->sweeper = std::make_unique<Sweeper>(options.sweeper, parts->catalog.get(), commit);
  parts->sweeper->AlsoRun([builder = parts->index_builder.get()] { return builder->RunTurn(); });
  if (options.background_clock) parts->clock->StartTicker();
  if (options.background_sweeper) {
    parts->sweeper->Start();
    parts->reclaimer.Start();
  }
  return std::unique_ptr<Engine>(new Engine(std::move(parts)));
}

Engine::Engine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Engine::~Engine() {
  parts_->sweeper->Stop();
  parts_->reclaimer.Stop();
  parts_->leaders.WaitForNone();
}

Catalog& Engine::catalog() {
  return *parts_->catalog;
}
StoreClock& Engine::clock() {
  return *parts_->clock;
}
store::Shard& Engine::shard() {
  return *parts_->shard;
}
Status Engine::Writable() {
  return parts_->shard->Writable();
}
Reclaimer& Engine::reclaimer() {
  return parts_->reclaimer;
}
IndexBuilder& Engine::index_builder() {
  return *parts_->index_builder;
}
Sweeper& Engine::sweeper() {
  return *parts_->sweeper;
}
const EngineOptions& Engine::options() const {
  return parts_->options;
}

}  // namespace lapse::engine
