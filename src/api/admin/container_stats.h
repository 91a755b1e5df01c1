// What a container holds, what has expired or was deleted with its key, and what was purged. Admin routes and metrics
// share this reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/catalog/counts/census.h"
#include "engine/catalog/view/catalog_view.h"
#include "engine/records/definitions/throughput.h"
#include "engine/records/ids/count.h"

namespace lapse::api::admin {

struct ContainerStats {
  engine::Count live;
  engine::Count backlog;  // expired and not yet purged
  int64_t oldest_s = 0;   // time since the first of the backlog became invisible; 0 without a backlog
  engine::Count deleted;  // deleted with their whole partition key, but not yet removed
  engine::Count purged;
  int64_t purge_milli_ru = 0;
};

// The request units that a container's users have spent, in thousandths.
struct RequestUnitStats {
  int64_t spent_milli_ru = 0;  // since the start
  int64_t throttled = 0;       // requests answered with 429 since the start
  // Its own throughput, or its database's if it shares that.
  engine::Throughput provisioned;
  bool shared = false;
  // Left in the current second. With shared throughput: left for all containers of the database. Nullopt: no limit.
  std::optional<int64_t> left_milli_ru;
  // Left over by users from the previous second, for the sweeper. Nullopt: no limit.
  std::optional<int64_t> left_over_milli_ru;
};

// Reads no disk. `database` may be null if it was dropped meanwhile.
RequestUnitStats ReadRequestUnits(engine::Container& container, const engine::Database* database);

// May read the disk. Fails: kNotFound if the container was dropped meanwhile, and with errors of the store.
Result<ContainerStats> ReadStats(const engine::Census& census);

// A container, with the names of its listing.
struct NamedContainer {
  engine::DatabasePtr database;
  std::string name;
  engine::ContainerPtr container;
};

// Sorted by the names of database and container, byte by byte. Empty while the catalog is in doubt. Reads no disk.
std::vector<NamedContainer> ListContainers(const engine::CatalogView* catalog);

struct NamedStats {
  std::string database;
  std::string container;
  std::optional<int32_t> default_ttl;  // see ttl::Policy
  ContainerStats stats;
  RequestUnitStats request_units;
};

// Fails as ReadStats does.
Result<NamedStats> ReadNamedStats(const NamedContainer& named, const engine::Census& census);

struct StatsOfAll {
  std::vector<NamedStats> containers;  // sorted by the names of database and container
  size_t existing = 0;                 // exceeds the list if there are too many, or if some cannot be read
};

// A reading of all containers stops here: each costs some milliseconds, and one to a dozen lines in the response.
constexpr size_t kReportedContainersMax = 500;

// Reads the first `containers_max` containers. May read the disk, for some milliseconds each.
StatsOfAll ReadStatsOfAll(const engine::CatalogView* catalog, size_t containers_max = kReportedContainersMax);

}  // namespace lapse::api::admin
