// What a client may say about a container: checked, and completed with the defaults that clients expect to read back.
// Pure: no engine state.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/definitions/container_definition.h"

namespace lapse::api::cosmos {

// The definition that a client has given (BSON) as the engine takes it; `properties` is the completed document, in the
// order in which it is shown: id, indexingPolicy, partitionKey, defaultTtl, then the client's other properties as they
// are, then conflictResolutionPolicy and geospatialConfig. System properties are left out. Fails: kInvalidArgument;
// kTooLarge beyond 256 KB of BSON, given or completed. `json` is the text that the definition was read from, for errors
// that quote it; it may be empty. Without a partition key the system chooses one, where that is allowed: all items are
// then of one logical partition.
Result<engine::ContainerDefinition> NewContainerDefinition(std::string_view given, std::string_view json = {},
                                                           bool may_have_no_key = false);

// Whether a client of this `x-ms-version` may create containers without a partition key.
bool MayHaveNoPartitionKey(std::string_view version);

// The same for a replace of `current`. Id and partition key must not change; a partition key that is left out stays.
// Fails also: kForbidden with other unique keys, or without those that there are.
Result<engine::ContainerDefinition> ReplacedContainerDefinition(std::string_view given,
                                                                const engine::ContainerDefinition& current,
                                                                std::string_view json = {});

}  // namespace lapse::api::cosmos
