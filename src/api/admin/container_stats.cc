#include "api/admin/container_stats.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/commit/partition.h"

namespace lapse::api::admin {
namespace {

struct Named {
  std::string database;
  std::string container;
  engine::ContainerPtr pointer;
};

std::vector<Named> ListAll(engine::Catalog* catalog) {
  std::vector<Named> all;
  Result<std::vector<engine::DatabasePtr>> databases = catalog->ListDatabases();
  if (!databases.ok()) return all;  // in doubt: nothing is known of any
  for (const engine::DatabasePtr& database : *databases) {
    Result<std::vector<engine::ContainerPtr>> containers = catalog->ListContainers(database->name);
    if (!containers.ok()) continue;  // dropped meanwhile
    for (const engine::ContainerPtr& container : *containers) {
      all.push_back({database->name, container->state()->definition.name, container});
    }
  }
  std::sort(all.begin(), all.end(), [](const Named& a, const Named& b) {
    return std::tie(a.database, a.container) < std::tie(b.database, b.container);
  });
  return all;
}

}  // namespace

Result<ContainerStats> ReadStats(const engine::Census& census) {
  ContainerStats stats;
  LAPSE_ASSIGN_OR_RETURN(stats.live, census.Live());
  LAPSE_ASSIGN_OR_RETURN(stats.backlog, census.Expired());
  LAPSE_ASSIGN_OR_RETURN(std::optional<int64_t> oldest_ms, census.OldestExpiredMs());
  if (oldest_ms) stats.oldest_s = std::max<int64_t>((census.now_ms() - *oldest_ms) / 1000, 0);
  LAPSE_ASSIGN_OR_RETURN(stats.deleted, census.Erased());
  LAPSE_ASSIGN_OR_RETURN(engine::Purged purged, census.PurgedSoFar());
  stats.purged = purged.total;
  stats.purge_milli_ru = purged.milli_ru;
  return stats;
}

RequestUnitStats ReadRequestUnits(engine::Container& container) {
  RequestUnitStats stats;
  stats.spent_milli_ru = container.usage().milli_ru.value();
  stats.throttled = container.usage().throttled.value();
  int64_t left = 0;
  for (const auto& partition : container.partitions()) {
    if (!partition->budget().limited()) return stats;
    left += partition->budget().Left();
  }
  stats.left_milli_ru = left;
  return stats;
}

StatsOfAll ReadStatsOfAll(engine::Catalog* catalog, size_t containers_max) {
  std::vector<Named> all = ListAll(catalog);
  StatsOfAll result;
  result.existing = all.size();
  all.resize(std::min(all.size(), containers_max));
  for (Named& named : all) {
    Result<ContainerStats> stats = ReadStats(named.pointer->TakeCensus());
    if (!stats.ok()) continue;
    result.containers.push_back({std::move(named.database), std::move(named.container),
                                 named.pointer->state()->policy.default_ttl, *std::move(stats),
                                 ReadRequestUnits(*named.pointer)});
  }
  return result;
}

}  // namespace lapse::api::admin
