// Whether an account has room for one more database or container.
#pragma once

#include <optional>

#include "api/cosmos/wire/errors.h"
#include "api/cosmos/wire/resource_limits.h"
#include "engine/catalog/view/catalog_view.h"

namespace lapse::api::cosmos {

// Each returns the error of adding one more database, or one more container to `database`, or nothing if the limits
// allow it. Call them where the catalog is changed, so that no other change intervenes. `shares`: the container
// requests no throughput of its own.
std::optional<ApiError> CheckRoomForDatabase(const engine::CatalogView& catalog, const ResourceLimits& limits);
std::optional<ApiError> CheckRoomForContainer(const engine::CatalogView& catalog, const engine::Database& database,
                                              bool shares, const ResourceLimits& limits);

}  // namespace lapse::api::cosmos
