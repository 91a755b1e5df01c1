// The components of a partition key, from the request's header or from a document.
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::api::cosmos {

using PartitionKeyValues = std::vector<engine::PartitionKeyComponent>;

// Parses a JSON array: `["x"]`, `[5]`, `[true]`, `[null]`. In it `{}` stands for a missing value. `[]` has no
// components. Fails: kInvalidArgument.
Result<PartitionKeyValues> ParsePartitionKeyHeader(std::string_view header);

// Returns one component per path. An absent value, an object or an array counts as missing.
PartitionKeyValues ExtractPartitionKey(std::string_view document, const engine::PartitionKeyDefinition& definition);

// Checks that no component is longer than 2048 bytes, in either version. Version 1 hashes only the first 100
// characters, but the service accepts longer values, too. Fails: kInvalidArgument.
Status CheckPartitionKeySize(const PartitionKeyValues& values);

// Returns the key in the header of a request for one item: all components, or none for a container with a system key.
// Fails: kInvalidArgument.
Result<PartitionKeyValues> WholePartitionKey(std::string_view header, const engine::PartitionKeyDefinition& definition,
                                             std::string_view container_properties);

}  // namespace lapse::api::cosmos
