// Times to live as clients write them, and the exact words for those that are none.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// An item's `ttl`: missing, -1 or 1..2147483647. nullopt: the item has none of its own. Fails: kInvalidArgument.
Result<std::optional<int32_t>> ItemTtl(doc::Value ttl);
// A container's `defaultTtl`: the same, and null is as good as missing. nullopt: TTL is off. Fails: kInvalidArgument.
Result<std::optional<int32_t>> ContainerTtl(doc::Value default_ttl);
// A container's `analyticalStorageTtl`, which may also be 0. Fails: kInvalidArgument.
Status CheckAnalyticalTtl(doc::Value ttl);

}  // namespace lapse::api::cosmos
