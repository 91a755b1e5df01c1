#include "tests/durability/purger.h"

#include <array>

#include "engine/expiry/census.h"
#include "engine/expiry/reclaimer.h"
#include "engine/expiry/sweeper.h"
#include "engine/keys.h"

namespace lapse::durability {
namespace {

constexpr std::array kPurgedFamilies = {engine::kHeadFamily, engine::kBodyFamily, engine::kQueueFamily};

bool NothingExpired(engine::Engine* engine) {
  for (const engine::DatabasePtr& database : engine->catalog().ListDatabases()) {
    const auto containers = engine->catalog().ListContainers(database->name);
    if (!containers.ok()) return false;
    for (const engine::ContainerPtr& container : *containers) {
      Result<engine::Count> expired = container->TakeCensus().Expired();
      if (!expired.ok() || expired->items != 0) return false;
    }
  }
  return true;
}

}  // namespace

void PurgeSomething(engine::Engine* engine, std::mt19937_64* random) {
  const auto family = kPurgedFamilies[(*random)() % kPurgedFamilies.size()];
  switch ((*random)() % 8) {
    case 0: static_cast<void>(engine->shard().Compact(family, {}, {})); break;
    case 1: static_cast<void>(engine->shard().Reclaim(family, 0.01)); break;
    case 2:
    case 3: engine->reclaimer().RunTurn(); break;
    default: engine->sweeper().RunTurn(); break;
  }
}

bool PurgeEverything(engine::Engine* engine) {
  while (engine->sweeper().RunTurn()) continue;
  while (engine->reclaimer().RunTurn()) continue;
  for (store::FamilyId family : kPurgedFamilies) {
    if (!engine->shard().Compact(family, {}, {}).ok()) return false;
  }
  return NothingExpired(engine);
}

}  // namespace lapse::durability
