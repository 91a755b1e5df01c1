// A container's indexingPolicy: checks it and fills in what the client omitted.
#pragma once

#include <string>

#include "api/cosmos/containers/definition/special_indexes.h"
#include "base/status.h"
#include "doc/value.h"
#include "engine/records/index/indexing_definition.h"

namespace lapse::api::cosmos {

// Returns the mode in lower case, by default "consistent". Fails: kInvalidArgument.
Result<std::string> IndexingMode(doc::Value policy);

// Appends the completed policy, a BSON document, to `out`. Fails: kInvalidArgument.
Status CompleteIndexingPolicy(doc::Value policy, Geometries geometries, std::string* out);

// Converts a completed policy for the engine.
engine::IndexingDefinition IndexingOf(doc::Value completed);

}  // namespace lapse::api::cosmos
