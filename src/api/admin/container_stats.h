// What a container holds, what of it has expired or was deleted with its key, and what was purged: one reading for the
// admin routes and the metrics alike.
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
  int64_t oldest_s = 0;   // how long ago the first of the backlog became invisible; 0 without a backlog
  engine::Count deleted;  // with their whole partition key, and not yet removed
  engine::Count purged;
  int64_t purge_milli_ru = 0;
};

// What a container's users have spent of their request units, in thousandths.
struct RequestUnitStats {
  int64_t spent_milli_ru = 0;  // since the start
  int64_t throttled = 0;       // requests answered with 429 since the start
  // Its own, or its database's when it shares that.
  engine::Throughput provisioned;
  bool shared = false;
  // In the present second; of a database's shared throughput, what all its containers have left. nullopt: no limit.
  std::optional<int64_t> left_milli_ru;
  // What users left of the second before, for the sweeper. nullopt: no limit.
  std::optional<int64_t> left_over_milli_ru;
};

// Reads no disk. `database` may be null when it was dropped meanwhile.
RequestUnitStats ReadRequestUnits(engine::Container& container, const engine::Database* database);

// May read the disk. Fails: kNotFound when the container was dropped meanwhile, and what the store says.
Result<ContainerStats> ReadStats(const engine::Census& census);

// A container, with the names that it is listed under.
struct NamedContainer {
  engine::DatabasePtr database;
  std::string name;
  engine::ContainerPtr container;
};

// By the names of database and container, byte by byte. None while the catalog is in doubt. Reads no disk.
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
  std::vector<NamedStats> containers;  // by the names of database and container
  size_t existing = 0;                 // more than are listed when there are too many, or when some cannot be read
};

// A reading of all containers stops here: each costs some milliseconds and a line or a dozen in the answer.
constexpr size_t kReportedContainersMax = 500;

// The first `containers_max` containers. May read the disk, for some milliseconds each.
StatsOfAll ReadStatsOfAll(const engine::CatalogView* catalog, size_t containers_max = kReportedContainersMax);

}  // namespace lapse::api::admin
