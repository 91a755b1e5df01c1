// MurmurHash3, the two variants that effective partition keys are made of. Not for anything an attacker may choose
// collisions in.
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
