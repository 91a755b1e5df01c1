// Times to live as clients write them, and the exact words for those that are none.
//
// `json` is the text that the value was read from, so that an error quotes what was sent; it may be empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// The property of an item that says its own lifetime.
constexpr std::string_view kTtlProperty = "ttl";

// An item's `ttl`: missing, -1 or 1..2147483647. nullopt: the item has none of its own. Fails: kInvalidArgument.
Result<std::optional<int32_t>> ItemTtl(doc::Value ttl, std::string_view json);
// A container's `defaultTtl`: the same, and null is as good as missing. nullopt: TTL is off. Fails: kInvalidArgument.
Result<std::optional<int32_t>> ContainerTtl(doc::Value default_ttl, std::string_view json);
// A container's `analyticalStorageTtl`, which may also be 0. Fails: kInvalidArgument.
Status CheckAnalyticalTtl(doc::Value ttl, std::string_view json);

}  // namespace lapse::api::cosmos
