// Times to live as clients write them, and the exact errors for invalid ones.
//
// `json` is the text that the value was read from, so that an error can quote it; it may be empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// The property in which an item sets its own lifetime.
constexpr std::string_view kTtlProperty = "ttl";

// Reads an item's `ttl`: missing, -1 or 1..2147483647. Nullopt: the item has none of its own. Fails: kInvalidArgument.
Result<std::optional<int32_t>> ItemTtl(doc::Value ttl, std::string_view json);
// Reads a container's `defaultTtl`: the same, and null counts as missing. Nullopt: TTL is off. Fails: kInvalidArgument.
Result<std::optional<int32_t>> ContainerTtl(doc::Value default_ttl, std::string_view json);
// Checks a container's `analyticalStorageTtl`, which may also be 0. Fails: kInvalidArgument.
Status CheckAnalyticalTtl(doc::Value ttl, std::string_view json);

}  // namespace lapse::api::cosmos
