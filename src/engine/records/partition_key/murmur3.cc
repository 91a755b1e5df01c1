#include "engine/records/partition_key/murmur3.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lapse::engine {
namespace {

// The constants are the algorithm's.
constexpr uint32_t kX86Mul1 = 0xCC9E2D51;
constexpr uint32_t kX86Mul2 = 0x1B873593;
constexpr uint32_t kX86Add = 0xE6546B64;
constexpr uint64_t kX64Mul1 = 0x87C37B91114253D5;
constexpr uint64_t kX64Mul2 = 0x4CF5AD432745937F;
constexpr uint64_t kX64Add1 = 0x52DCE729;
constexpr uint64_t kX64Add2 = 0x38495AB5;

// Reads up to sizeof(T) bytes as a little-endian number. Missing bytes are zero.
template <typename T>
T Load(std::string_view bytes) {
  T value = 0;
  if (!bytes.empty()) std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(T)));
  return value;
}

uint32_t ScrambleX86(uint32_t block) {
  return std::rotl(block * kX86Mul1, 15) * kX86Mul2;
}
uint64_t ScrambleFirst(uint64_t block) {
  return std::rotl(block * kX64Mul1, 31) * kX64Mul2;
}
uint64_t ScrambleSecond(uint64_t block) {
  return std::rotl(block * kX64Mul2, 33) * kX64Mul1;
}

uint32_t Finish(uint32_t hash) {
  hash = (hash ^ hash >> 16) * 0x85EBCA6B;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35;
  return hash ^ hash >> 16;
}

uint64_t Finish(uint64_t hash) {
  hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCD;
  hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53;
  return hash ^ hash >> 33;
}

}  // namespace

uint32_t Murmur3X86Hash32(std::string_view bytes, uint32_t seed) {
  constexpr size_t kBlock = sizeof(uint32_t);
  uint32_t hash = seed;
  std::string_view rest = bytes;
  for (; rest.size() >= kBlock; rest.remove_prefix(kBlock)) {
    hash ^= ScrambleX86(Load<uint32_t>(rest));
    hash = std::rotl(hash, 13) * 5 + kX86Add;
  }
  hash ^= ScrambleX86(Load<uint32_t>(rest));
  return Finish(hash ^ static_cast<uint32_t>(bytes.size()));
}

Hash128 Murmur3X64Hash128(std::string_view bytes, uint64_t seed) {
  constexpr size_t kHalf = sizeof(uint64_t);
  uint64_t first = seed;
  uint64_t second = seed;
  std::string_view rest = bytes;
  for (; rest.size() >= 2 * kHalf; rest.remove_prefix(2 * kHalf)) {
    first ^= ScrambleFirst(Load<uint64_t>(rest));
    first = (std::rotl(first, 27) + second) * 5 + kX64Add1;
    second ^= ScrambleSecond(Load<uint64_t>(rest.substr(kHalf)));
    second = (std::rotl(second, 31) + first) * 5 + kX64Add2;
  }
  first ^= ScrambleFirst(Load<uint64_t>(rest));
  if (rest.size() > kHalf) second ^= ScrambleSecond(Load<uint64_t>(rest.substr(kHalf)));

  first ^= bytes.size();
  second ^= bytes.size();
  first += second;
  second += first;
  first = Finish(first);
  second = Finish(second);
  first += second;
  second += first;
  return {first, second};
}

}  // namespace lapse::engine
