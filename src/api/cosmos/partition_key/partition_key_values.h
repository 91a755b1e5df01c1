// A partition key's components, from the request's header and from a document.
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::api::cosmos {

using PartitionKeyValues = std::vector<engine::PartitionKeyComponent>;

// A JSON array: `["x"]`, `[5]`, `[true]`, `[null]`; `{}` in it stands for a missing value; `[]` has no components.
// Fails: kInvalidArgument.
Result<PartitionKeyValues> ParsePartitionKeyHeader(std::string_view header);

// One component per path. What is not there, and what is an object or an array, is missing.
PartitionKeyValues ExtractPartitionKey(std::string_view document, const engine::PartitionKeyDefinition& definition);

// That no component is longer than 2048 bytes, in either version: version 1 hashes the first 100 characters, and the
// service takes longer values all the same. Fails: kInvalidArgument.
Status CheckPartitionKeySize(const PartitionKeyValues& values);

// The key that a request for one item names in its header: all components, or none for a container whose key is the
// system's. Fails: kInvalidArgument.
Result<PartitionKeyValues> WholePartitionKey(std::string_view header, const engine::PartitionKeyDefinition& definition,
                                             std::string_view container_properties);

}  // namespace lapse::api::cosmos
