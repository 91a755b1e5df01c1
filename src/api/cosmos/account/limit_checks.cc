#include "api/cosmos/account/limit_checks.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lapse::api::cosmos {
namespace {

ApiError TooMany(const std::string& what, size_t most) {
  return {403, kSubStatusTooManyResources, "Forbidden",
          "The account has reached its limit of " + std::to_string(most) + " " + what + "."};
}

// Counts all databases and containers. If the catalog cannot tell, the change that follows reports that.
size_t CountResources(const engine::CatalogView& catalog) {
  Result<std::vector<engine::DatabasePtr>> databases = catalog.ListDatabases();
  if (!databases.ok()) return 0;
  size_t count = databases->size();
  for (const engine::DatabasePtr& database : *databases) {
    Result<std::vector<engine::ContainerPtr>> containers = catalog.ListContainers(database->name);
    if (containers.ok()) count += containers->size();
  }
  return count;
}

}  // namespace

std::optional<ApiError> CheckRoomForDatabase(const engine::CatalogView& catalog, const ResourceLimits& limits) {
  if (limits.resources_max == 0 || CountResources(catalog) < limits.resources_max) return std::nullopt;
  return TooMany("databases and containers", limits.resources_max);
}

std::optional<ApiError> CheckRoomForContainer(const engine::CatalogView& catalog, const engine::Database& database,
                                              bool shares, const ResourceLimits& limits) {
  if (auto error = CheckRoomForDatabase(catalog, limits)) return error;
  if (limits.sharing_containers_max == 0 || !shares || database.throughput.none()) return std::nullopt;
  Result<std::vector<engine::ContainerPtr>> containers = catalog.ListContainers(database.name);
  if (!containers.ok()) return std::nullopt;
  const auto sharing = std::count_if(containers->begin(), containers->end(),
                                     [](const auto& container) { return container->shared_pool() != nullptr; });
  if (static_cast<size_t>(sharing) < limits.sharing_containers_max) return std::nullopt;
  return TooMany("containers that share the throughput of a database", limits.sharing_containers_max);
}

}  // namespace lapse::api::cosmos
