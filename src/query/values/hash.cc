#include "query/values/hash.h"

#include <bit>
#include <cstring>

#include "query/values/compare.h"
#include "query/values/number.h"

namespace lapse::query {
namespace {

__extension__ using Wide = unsigned __int128;

// Odd numbers with no pattern in their bits.
constexpr uint64_t kFirst = 0x9E3779B97F4A7C15;
constexpr uint64_t kSecond = 0xD6E8FEB86659FD93;

// Folds the two halves of the product, so that each bit of the input affects each bit of the result.
uint64_t Mix(uint64_t a, uint64_t b) {
  const Wide product = static_cast<Wide>(a ^ kFirst) * (b ^ kSecond);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

enum Tag : uint64_t { kTagUndefined = 1, kTagNull, kTagBool, kTagNumber, kTagString, kTagArray, kTagObject };

uint64_t HashOfNumber(Value number, uint64_t seed) {
  if (const auto whole = IntegerOf(number)) return Mix(static_cast<uint64_t>(*whole), seed + kTagNumber);
  const double real = number.AsDouble();
  // There are many NaNs, all of which are the same value.
  const uint64_t bits = std::isnan(real) ? 1 : std::bit_cast<uint64_t>(real);
  return Mix(Mix(bits, kSecond), seed + kTagNumber);
}

uint64_t HashAt(Value value, uint64_t seed, int depth) {
  switch (value.kind()) {
    case Kind::kUndefined: return Mix(seed, kTagUndefined);
    case Kind::kNull: return Mix(seed, kTagNull);
    case Kind::kBool: return Mix(seed + (value.AsBool() ? 1 : 0), kTagBool);
    case Kind::kInt64:
    case Kind::kDouble: return HashOfNumber(value, seed);
    case Kind::kString: return HashOfBytes(value.AsString(), seed + kTagString);
    case Kind::kArray:
    case Kind::kObject: break;
  }
  if (depth == kValueDepthMax) return HashOfBytes(value.AsDocument(), seed + kTagArray);
  if (value.IsArray()) {
    uint64_t hash = Mix(seed, kTagArray);
    Elements elements(value);
    while (auto element = elements.Next()) hash = Mix(hash, HashAt(*element, seed, depth + 1));
    return hash;
  }
  // Adds hashes up, because the order of the members does not count.
  uint64_t sum = 0;
  doc::Reader reader(value.AsDocument());
  while (auto element = reader.Next()) {
    sum += Mix(HashOfBytes(element->name, seed), HashAt(Value::FromBson(element->value), seed, depth + 1));
  }
  return Mix(sum, seed + kTagObject);
}

}  // namespace

uint64_t HashOfBytes(std::string_view bytes, uint64_t seed) {
  uint64_t hash = Mix(seed, bytes.size());
  while (bytes.size() >= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof(word));
    hash = Mix(hash, word);
    bytes.remove_prefix(sizeof(word));
  }
  uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  return Mix(hash, rest);
}

uint64_t HashOf(Value value, uint64_t seed) {
  return HashAt(value, seed, 0);
}

}  // namespace lapse::query
