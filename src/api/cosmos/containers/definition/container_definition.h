// Checks a container definition from a client, and completes it with the defaults that clients expect to read back.
// Pure: no engine state.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/definitions/container_definition.h"

namespace lapse::api::cosmos {

// Converts the client's definition (BSON) for the engine. `properties` is the completed document, in the order in which
// it is returned: id, indexingPolicy, partitionKey, defaultTtl, then the client's other properties unchanged, then
// conflictResolutionPolicy and geospatialConfig. System properties are left out. Fails: kInvalidArgument; kTooLarge
// beyond 256 KB of BSON, given or completed. `json` is the original text of the definition, for errors that quote it;
// it may be empty. Without a partition key the system chooses one, if that is allowed. Then all items are in one
// logical partition.
Result<engine::ContainerDefinition> NewContainerDefinition(std::string_view given, std::string_view json = {},
                                                           bool may_have_no_key = false);

// Whether a client of this `x-ms-version` may create containers without a partition key.
bool MayHaveNoPartitionKey(std::string_view version);

// The same for a replace of `current`. Id and partition key must not change; an omitted partition key stays. Fails
// also: kForbidden if the unique keys change or are omitted.
Result<engine::ContainerDefinition> ReplacedContainerDefinition(std::string_view given,
                                                                const engine::ContainerDefinition& current,
                                                                std::string_view json = {});

}  // namespace lapse::api::cosmos
