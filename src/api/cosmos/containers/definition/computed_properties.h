// The computedProperties of a container's definition: values that queries see as if items had them.
#pragma once

#include <string_view>

#include "base/status.h"
#include "engine/records/index/indexing_definition.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/single_item/computed_values.h"

namespace lapse::api::cosmos {

// Of a definition that a client has given (BSON). None may hide a path of the partition key: filters by it tell which
// partitions are asked. Fails: kInvalidArgument.
Status CheckComputedProperties(std::string_view definition, const engine::PartitionKeyDefinition& partition_key);

// Adds those of a definition that was checked to what is indexed: those that a path or an index of the policy names.
// What is made of properties that the system adds is not: it changes while the document stays.
void IndexComputed(std::string_view definition, engine::IndexingDefinition* indexing);

// Those of a definition that was checked, which must outlive `computed`.
void DefineComputed(std::string_view definition, query::exec::ComputedValues* computed);

}  // namespace lapse::api::cosmos
