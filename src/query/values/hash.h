// A hash consistent with SameValue: equal values have equal hashes.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/values/value.h"

namespace lapse::query {

// The seed keeps clients that choose values from choosing their hashes. Hashes live in memory only.
uint64_t HashOf(Value value, uint64_t seed);
uint64_t HashOfBytes(std::string_view bytes, uint64_t seed);

}  // namespace lapse::query
