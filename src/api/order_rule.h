// The rule of Cosmos DB for ORDER BY: what a container's indexing definition says about it. It is the one place where
// an index decides what a query answers; the service has it, and clients rely on it. For api/cosmos and api/admin.
#pragma once

#include "base/status.h"
#include "engine/records/index/indexing_definition.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/rules/added_properties.h"

namespace lapse::api {

// Whether rows without a value for the one key are left out. They are, unless the definition names its path. Nothing is
// left out with several keys, nor when groups or distinct results are ordered.
// Fails: kInvalidArgument, with the service's text, if the path of the one key is not indexed (that of a computed
// property must be named), or if several keys have no composite index with the same paths and the same directions, or
// with all directions reversed.
Result<bool> LeavesOutUndefined(const query::exec::PageShape& shape, const engine::IndexingDefinition& indexing,
                                const query::exec::AddedProperties& added);

}  // namespace lapse::api
