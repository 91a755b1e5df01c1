// The computedProperties of a container's definition: values that queries see as if items had them.
#pragma once

#include <string_view>

#include "base/status.h"
#include "engine/records/index/indexing_definition.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/single_item/computed_values.h"

namespace lapse::api::cosmos {

// Checks a definition from a client (BSON). A computed property must not hide a path of the partition key, because
// filters on it select the partitions to query. Fails: kInvalidArgument.
Status CheckComputedProperties(std::string_view definition, const engine::PartitionKeyDefinition& partition_key);

// Adds to the index those computed properties of a checked definition that a path or an index of the policy names.
// Skips those that use properties added by the system, because these change while the document stays.
void IndexComputed(std::string_view definition, engine::IndexingDefinition* indexing);

// Defines those of a checked definition, which must outlive `computed`.
void DefineComputed(std::string_view definition, query::exec::ComputedValues* computed);

}  // namespace lapse::api::cosmos
