#include "engine/engine.h"

#include <optional>
#include <utility>

#include "engine/clock_mark.h"
#include "engine/engine_parts.h"
#include "engine/keys.h"

namespace lapse::engine {

std::vector<store::FamilyOptions> EngineFamilies() {
  std::vector<store::FamilyOptions> families(4);
  families[kMetaFamily].name = "meta";
  families[kMetaFamily].check_at_open = true;
  families[kHeadFamily].name = "head";
  families[kBodyFamily].name = "body";
  families[kQueueFamily].name = "queue";
  families[kQueueFamily].point_lookups = false;
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
  parts->cache = std::make_unique<ItemCache>(options.item_cache_bytes);
  parts->clock =
      std::make_unique<StoreClock>(*options.wall, *options.steady, options.clock_limits, mark, options.test_clock,
                                   [kept](const ttl::StoreTimeMark& now) { return kept.Save(now); });
  parts->catalog = std::make_unique<Catalog>(parts.get());
  LAPSE_RETURN_IF_ERROR(parts->catalog->Load());
  if (options.background_clock) parts->clock->StartTicker();
  return std::unique_ptr<Engine>(new Engine(std::move(parts)));
}

Engine::Engine(std::unique_ptr<EngineParts> parts) : parts_(std::move(parts)) {}

Engine::~Engine() {
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
const EngineOptions& Engine::options() const {
  return parts_->options;
}

}  // namespace lapse::engine
