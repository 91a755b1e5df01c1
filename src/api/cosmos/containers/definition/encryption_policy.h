// A container's clientEncryptionPolicy: which properties clients encrypt, and with which keys.
#pragma once

#include <functional>
#include <string_view>

#include "base/status.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::api::cosmos {

// `definition` is the container's document. `has_key` tells whether its database has a client encryption key of this
// name. A definition without a policy is valid. Fails: kInvalidArgument.
Status CheckEncryptionPolicy(std::string_view definition, const engine::PartitionKeyDefinition& partition_key,
                             const std::function<bool(std::string_view)>& has_key);

// Checks that a replace does not change it. Fails: kInvalidArgument.
Status CheckSameEncryptionPolicy(std::string_view before, std::string_view after);

}  // namespace lapse::api::cosmos
