// What a container's indexing definition says of an ORDER BY. It is the one place where an index decides what a query
// answers: so the service has it, and clients rely on it.
#pragma once

#include "base/status.h"
#include "engine/records/index/indexing_definition.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/rules/added_properties.h"
#include "query/plan/operator.h"

namespace lapse::query::exec {

// Whether rows without a value for the one key are left out: they are unless the definition names its path. With
// several keys, and where groups or distinct results are ordered, nothing is left out.
// Fails: kInvalidArgument when the path of the one key is not indexed (that of a computed property is if a path names
// it), or when several keys have no composite index
// with the same paths and the same directions, or all of them reversed.
Result<bool> LeavesOutUndefined(const PageShape& shape, const engine::IndexingDefinition& indexing,
                                const AddedProperties& added);

}  // namespace lapse::query::exec
