#include "api/admin/container_stats.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/catalog/counts/census.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::admin {

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

RequestUnitStats ReadRequestUnits(engine::Container& container, const engine::Database* database) {
  RequestUnitStats stats;
  stats.spent_milli_ru = container.usage().milli_ru.value();
  stats.throttled = container.usage().throttled.value();
  stats.shared = container.shared_pool() != nullptr;
  if (!stats.shared) {
    stats.provisioned = container.state()->definition.throughput;
  } else if (database != nullptr) {
    stats.provisioned = database->throughput;
  }
  int64_t left = 0;
  int64_t left_over = 0;
  for (size_t place = 0; place < container.partitions().size(); ++place) {
    engine::Budget& budget = container.budget(place);
    if (!budget.limited()) return stats;
    left += budget.Left();
    left_over += budget.LeftOverNow();
    if (stats.shared) break;  // all of them have the same pool
  }
  stats.left_milli_ru = left;
  stats.left_over_milli_ru = left_over;
  return stats;
}

std::vector<NamedContainer> ListContainers(const engine::CatalogView* catalog) {
  std::vector<NamedContainer> all;
  Result<std::vector<engine::DatabasePtr>> databases = catalog->ListDatabases();
  if (!databases.ok()) return all;
  for (const engine::DatabasePtr& database : *databases) {
    Result<std::vector<engine::ContainerPtr>> containers = catalog->ListContainers(database->name);
    if (!containers.ok()) continue;  // dropped meanwhile
    for (const engine::ContainerPtr& container : *containers) {
      all.push_back({database, container->state()->definition.name, container});
    }
  }
  std::sort(all.begin(), all.end(), [](const NamedContainer& a, const NamedContainer& b) {
    return std::tie(a.database->name, a.name) < std::tie(b.database->name, b.name);
  });
  return all;
}

Result<NamedStats> ReadNamedStats(const NamedContainer& named, const engine::Census& census) {
  LAPSE_ASSIGN_OR_RETURN(ContainerStats stats, ReadStats(census));
  return NamedStats{named.database->name, named.name, named.container->state()->policy.default_ttl, stats,
                    ReadRequestUnits(*named.container, named.database.get())};
}

StatsOfAll ReadStatsOfAll(const engine::CatalogView* catalog, size_t containers_max) {
  std::vector<NamedContainer> all = ListContainers(catalog);
  StatsOfAll result;
  result.existing = all.size();
  all.resize(std::min(all.size(), containers_max));
  for (const NamedContainer& named : all) {
    Result<NamedStats> stats = ReadNamedStats(named, engine::Census(*named.container));
    if (stats.ok()) result.containers.push_back(*std::move(stats));
  }
  return result;
}

}  // namespace lapse::api::admin
