// A container's uniqueKeyPolicy: `{"uniqueKeys": [{"paths": ["/a", "/b/c"]}]}`.
#pragma once

#include <string_view>

#include "base/status.h"
#include "doc/value.h"
#include "engine/records/unique_keys/unique_keys_definition.h"

namespace lapse::api::cosmos {

constexpr std::string_view kUniqueKeysFixedText =
    "The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.";

// A missing policy, null, and a policy without keys all mean that there are none. Fails: kInvalidArgument for a
// malformed policy, more than 10 keys, more than 16 paths in one, a path that is malformed or repeated in a key.
Result<engine::UniqueKeysDefinition> ReadUniqueKeyPolicy(doc::Value policy);

}  // namespace lapse::api::cosmos
