// MurmurHash3, in the two variants used by effective partition keys. Not for use where an attacker could choose
// collisions.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapse::engine {

uint32_t Murmur3X86Hash32(std::string_view bytes, uint32_t seed = 0);

struct Hash128 {
  uint64_t first;
  uint64_t second;

  bool operator==(const Hash128&) const = default;
};

Hash128 Murmur3X64Hash128(std::string_view bytes, uint64_t seed = 0);

}  // namespace lapse::engine
