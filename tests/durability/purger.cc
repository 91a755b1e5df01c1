#include "tests/durability/purger.h"

#include <algorithm>
#include <iterator>

#include "engine/catalog/counts/census.h"
#include "engine/records/ids/families.h"
#include "engine/shard/reclaim/reclaimer.h"
#include "engine/shard/sweep/sweeper.h"

namespace lapse::durability {
namespace {

bool CompactAll(engine::Engine* engine) {
  return std::all_of(std::begin(engine::kItemFamilies), std::end(engine::kItemFamilies), [&](store::FamilyId family) {
    return engine->shards().front()->store()->Compact(family, {}, {}).ok();
  });
}

bool NothingExpired(engine::Engine* engine) {
  const auto databases = engine->catalog().ListDatabases();
  if (!databases.ok()) return false;
  for (const engine::DatabasePtr& database : *databases) {
    const auto containers = engine->catalog().ListContainers(database->name);
    if (!containers.ok()) return false;
    for (const engine::ContainerPtr& container : *containers) {
      Result<engine::Count> expired = engine::Census(*container).Expired();
      if (!expired.ok() || expired->items != 0) return false;
    }
  }
  return true;
}

}  // namespace

void PurgeSomething(engine::Engine* engine, std::mt19937_64* random) {
  const auto family = engine::kItemFamilies[(*random)() % std::size(engine::kItemFamilies)];
  switch ((*random)() % 8) {
    case 0: static_cast<void>(engine->shards().front()->store()->Compact(family, {}, {})); break;
    case 1: static_cast<void>(engine->shards().front()->store()->Reclaim(family, {0.01, 0.01})); break;
    case 2:
    case 3: engine->ReclaimTurn(); break;
    default: engine->SweepTurn(); break;
  }
}

bool PurgeEverything(engine::Engine* engine) {
  // Also before the purge, so that dead and live records are in one file.
  if (!CompactAll(engine)) return false;
  while (engine->SweepTurn()) continue;
  while (engine->ReclaimTurn()) continue;
  return CompactAll(engine) && NothingExpired(engine);
}

}  // namespace lapse::durability
