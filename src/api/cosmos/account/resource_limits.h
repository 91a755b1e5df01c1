// How many databases and containers an account may have. The service has such limits; here they hold only for those who
// ask for them.
#pragma once

#include <cstddef>
#include <optional>

#include "api/cosmos/wire/errors.h"
#include "engine/catalog/store/catalog.h"

namespace lapse::api::cosmos {

// 0: no limit.
struct ResourceLimits {
  size_t resources_max = 0;           // databases and containers together
  size_t sharing_containers_max = 0;  // containers of one database that share its throughput
};

// The error of one more database, or of one more container in `database`; nothing when there is room. To be asked where
// the catalog is changed, so that nothing comes in between. `shares`: the container asks for no throughput of its own.
std::optional<ApiError> CheckRoomForDatabase(engine::Catalog& catalog, const ResourceLimits& limits);
std::optional<ApiError> CheckRoomForContainer(engine::Catalog& catalog, const engine::Database& database, bool shares,
                                              const ResourceLimits& limits);

}  // namespace lapse::api::cosmos
