#include "engine/engine.h"

#include <optional>
#include <utility>

#include "engine/engine_parts.h"
#include "engine/items/keys.h"
#include "engine/time/clock_era.h"
#include "engine/time/clock_mark.h"

namespace lapse::engine {

std::vector<store::FamilyOptions> EngineFamilies(const PurgeFilter* filter) {
  std::vector<store::FamilyOptions> families(6);
  families[kMetaFamily].name = "meta";
  families[kMetaFamily].check_at_open = true;
  families[kHeadFamily].name = "head";
  families[kBodyFamily].name = "body";
  families[kQueueFamily].name = "queue";
  families[kQueueFamily].point_lookups = false;
  families[kCohortFamily].name = "cohort";
  families[kLogFamily].name = "log";
  families[kLogFamily].point_lookups = false;
  families[kHeadFamily].prefix_bytes = kContainerPrefixBytes;
  families[kBodyFamily].prefix_bytes = kBodyPrefixBytes;
  families[kQueueFamily].prefix_bytes = kContainerPrefixBytes;
  families[kLogFamily].prefix_bytes = kContainerPrefixBytes;
  if (filter != nullptr) {
    families[kHeadFamily].drop = filter->heads();
    families[kBodyFamily].drop = filter->streams();
    families[kQueueFamily].drop = filter->streams();
    families[kCohortFamily].drop = filter->cohorts();
    families[kLogFamily].drop = filter->logs();
  }
  return families;
}

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options, store::Shard* shard, Executor* commits) {
  const ClockMark kept(shard, options.clock_slot);
  LAPSE_ASSIGN_OR_RETURN(std::optional<ttl::StoreTimeMark> mark, kept.Load());
  if (mark.has_value() && mark->test_clock != options.test_clock) {
    return Status(Code::kInvalidArgument,
                  mark->test_clock ? "this data was used with the test clock; start with --test-clock"
                                   : "this data was not used with the test clock; start without --test-clock");
  }
  auto parts = std::make_unique<EngineParts>();
  parts->options = options;
  parts->shard = shard;
  parts->commits = commits;
  if (options.purge_filter != nullptr) parts->purge_filter = options.purge_filter;
  parts->cache = std::make_unique<ItemCache>(options.item_cache_bytes);
  parts->clock =
      std::make_unique<StoreClock>(*options.wall, *options.steady, options.clock_limits, mark, options.test_clock,
                                   [kept](const ttl::StoreTimeMark& now) { return kept.Save(now); });
  LAPSE_ASSIGN_OR_RETURN(parts->clock_was_reset, ClockWasReset(shard));
  parts->catalog = std::make_unique<Catalog>(parts.get());
  LAPSE_RETURN_IF_ERROR(parts->catalog->Load());
  parts->purge_filter->KnowsAllUpTo(parts->catalog->LastContainer());
  parts->reclaimer = std::make_unique<Reclaimer>(shard);
  parts->sweeper = std::make_unique<Sweeper>(options.sweeper, parts.get());
  if (options.background_clock) parts->clock->StartTicker();
  if (options.background_sweeper) {
    parts->sweeper->Start();
    parts->reclaimer->Start();
  }
  return std::unique_ptr<Engine>(new Engine(std::move(parts)));
}

Engine::Engine(std::unique_ptr<EngineParts> parts) : parts_(std::move(parts)) {}

Engine::~Engine() {
  parts_->sweeper->Stop();
  parts_->reclaimer->Stop();
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
  return *parts_->reclaimer;
}
Sweeper& Engine::sweeper() {
  return *parts_->sweeper;
}
const EngineOptions& Engine::options() const {
  return parts_->options;
}

}  // namespace lapse::engine
