// The indexingPolicy of a container: checks it and fills in what the client left out.
#pragma once

#include <string>

#include "api/cosmos/containers/definition/special_indexes.h"
#include "base/status.h"
#include "doc/value.h"
#include "engine/records/index/indexing_definition.h"

namespace lapse::api::cosmos {

// Lower-case mode of the policy ("consistent" when it says nothing). Fails: kInvalidArgument.
Result<std::string> IndexingMode(doc::Value policy);

// Appends the completed policy, a BSON document, to `out`. Fails: kInvalidArgument.
Status CompleteIndexingPolicy(doc::Value policy, Geometries geometries, std::string* out);

// What a completed policy means to the engine.
engine::IndexingDefinition IndexingOf(doc::Value completed);

}  // namespace lapse::api::cosmos
