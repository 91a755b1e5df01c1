// For tests: different partition keys with equal effective keys.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>

namespace lapse::engine {
namespace colliding_keys_internal {

inline constexpr uint64_t kC1 = 0x87c37b91114253d5;
inline constexpr uint64_t kC2 = 0x4cf5ad432745937f;
inline constexpr uint64_t kAdd1 = 0x52dce729;
inline constexpr uint64_t kAdd2 = 0x38495ab5;
inline constexpr size_t kBlockBytes = 16;

// Returns the multiplicative inverse of an odd number modulo 2^64.
constexpr uint64_t Inverse(uint64_t odd) {
  uint64_t inverse = odd;
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

struct State {
  uint64_t h1 = 0;
  uint64_t h2 = 0;
};

struct Block {
  uint64_t k1 = 0;
  uint64_t k2 = 0;
};

inline Block Read(const std::string& bytes, size_t at) {
  Block block;
  std::memcpy(&block, bytes.data() + at, kBlockBytes);
  return block;
}

inline State After(State state, Block block) {
  state.h1 ^= std::rotl(block.k1 * kC1, 31) * kC2;
  state.h1 = (std::rotl(state.h1, 27) + state.h2) * 5 + kAdd1;
  state.h2 ^= std::rotl(block.k2 * kC2, 33) * kC1;
  state.h2 = (std::rotl(state.h2, 31) + state.h1) * 5 + kAdd2;
  return state;
}

// Returns the block that leads from one state to the other.
inline Block Between(State from, State to) {
  const uint64_t mixed1 = std::rotr((to.h1 - kAdd1) * Inverse(5) - from.h2, 27) ^ from.h1;
  const uint64_t mixed2 = std::rotr((to.h2 - kAdd2) * Inverse(5) - to.h1, 31) ^ from.h2;
  return {std::rotr(mixed1 * Inverse(kC2), 31) * Inverse(kC1), std::rotr(mixed2 * Inverse(kC1), 33) * Inverse(kC2)};
}

inline bool IsPrintable(const std::string& text) {
  for (char c : text) {
    if (c < ' ' || c > '~' || c == '"' || c == '\\') return false;
  }
  return true;
}

}  // namespace colliding_keys_internal

// Two strings for keys of version 1, which uses only the first 100 characters.
inline std::pair<std::string, std::string> CollidingTextsV1() {
  const std::string shared(100, 'a');
  return {shared + "x", shared + "y"};
}

// Two printable ASCII strings for keys of version 2 and for one level of hierarchical keys. Each step of the hash can
// be inverted. So for two different first blocks, there is a second block that leads to the same state.
inline std::pair<std::string, std::string> CollidingTextsV2() {
  using namespace colliding_keys_internal;  // NOLINT(google-build-using-namespace): of this file alone
  // The hash input begins with a byte that marks a string, so the text fills 15 bytes of the first block.
  constexpr char kStringMarker = 8;
  std::mt19937_64 random(1);
  auto first_block = [&] {
    std::string block(1, kStringMarker);
    while (block.size() < kBlockBytes) block.push_back(static_cast<char>('a' + random() % 26));
    return block;
  };
  const std::string one = first_block() + std::string(kBlockBytes, 'b');
  const State goal = After(After({}, Read(one, 0)), Read(one, kBlockBytes));
  while (true) {
    const std::string other = first_block();
    const Block second = Between(After({}, Read(other, 0)), goal);
    std::string bytes(kBlockBytes, '\0');
    std::memcpy(bytes.data(), &second, kBlockBytes);
    if (IsPrintable(bytes)) return {one.substr(1), other.substr(1) + bytes};
  }
}

}  // namespace lapse::engine
