// Cosmos DB's rule for ORDER BY: what a container's indexing definition means for it. Only here does an index decide
// what a query returns. The service does so, and clients rely on it. For api/cosmos and api/admin.
#pragma once

#include "base/status.h"
#include "engine/records/index/indexing_definition.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/rules/added_properties.h"

namespace lapse::api {

// Whether rows without a value for the only key are left out. They are, unless the definition names its path. Nothing
// is left out with several keys, or if groups or distinct results are ordered. Fails: kInvalidArgument, with the
// service's text, if the path of the only key is not indexed (for a computed property: not named), or if several keys
// have no composite index with the same paths and the same directions, or with all directions reversed.
Result<bool> LeavesOutUndefined(const query::exec::PageShape& shape, const engine::IndexingDefinition& indexing,
                                const query::exec::AddedProperties& added);

}  // namespace lapse::api
