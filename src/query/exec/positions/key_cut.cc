#include "query/exec/positions/key_cut.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "query/exec/positions/value_list.h"
#include "query/values/compare.h"
#include "query/values/hash.h"

namespace lapse::query::exec {
namespace {

constexpr size_t kKeysBytesMax = 2'600;
// The budget of all keys together, and the least for each key. That least is more than an index keeps of a string, so a
// cut string says all that its index entries say.
constexpr size_t kCutBytes = 2'304;
constexpr size_t kKeyBytesMin = 288;
// Bytes of a key beside its text.
constexpr size_t kAroundKey = 32;

// Returns the beginning of a text without a partial character at its end.
std::string_view Beginning(std::string_view text, size_t bytes) {
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

Value CutKey(Value key, size_t bytes_max) {
  if (key.IsString()) return Value::String(Beginning(key.AsString(), bytes_max));
  constexpr std::string_view kEmpty("\x05\x00\x00\x00\x00", 5);  // a BSON document without members
  return key.IsArray() ? Value::Array(kEmpty) : Value::Object(kEmpty);
}

size_t SizeOf(Value key) {
  if (key.IsString()) return key.AsString().size();
  return key.IsArray() || key.IsObject() ? key.AsDocument().size() : 0;
}

// Compares one key. A cut string may be any string that begins with the kept part. Of arrays and objects only the kind
// is kept.
std::partial_ordering CompareOne(Value key, Value kept, bool is_cut) {
  if (!is_cut || key.kind() != kept.kind()) return OrderOf(key, kept);
  if (!key.IsString()) return std::partial_ordering::unordered;
  if (key.AsString().starts_with(kept.AsString())) return std::partial_ordering::unordered;
  return OrderOf(key, kept);
}

}  // namespace

KeysHash HashOfKeys(std::span<const Value> keys) {
  constexpr uint64_t kFirstSeed = 0x6C617073652D6B31;
  constexpr uint64_t kSecondSeed = 0x6C617073652D6B32;
  KeysHash hash{};
  for (const Value& key : keys) {
    hash[0] = hash[0] * 31 + HashOf(key, kFirstSeed);
    hash[1] = hash[1] * 37 + HashOf(key, kSecondSeed);
  }
  return hash;
}

void SetKeys(std::span<const Value> keys, PagePosition* position) {
  position->cut.reset();
  if (!TakesMoreThan(kKeysBytesMax, keys) && EncodeValues(keys).size() <= kKeysBytesMax) {
    position->keys.assign(keys.begin(), keys.end());
    return;
  }
  CutKeys& cut = position->cut.emplace();
  cut.hash = HashOfKeys(keys);
  position->keys.clear();
  const size_t key_bytes_max = std::max(kCutBytes / keys.size(), kKeyBytesMin);
  size_t bytes = 0;
  // The last keys may have to be dropped.
  for (const Value& key : keys) {
    const bool is_cut = SizeOf(key) > key_bytes_max;
    const Value kept = is_cut ? CutKey(key, key_bytes_max) : key;
    bytes += kAroundKey + SizeOf(kept);
    if (bytes > kKeysBytesMax) break;
    position->keys.push_back(kept);
    cut.is_cut.push_back(is_cut ? 1 : 0);
  }
}

std::partial_ordering CompareToCut(const PageShape& shape, std::span<const Value> keys, const PagePosition& position) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i >= position.keys.size()) return std::partial_ordering::unordered;
    const std::partial_ordering order = CompareOne(keys[i], position.keys[i], position.cut->is_cut[i] != 0);
    if (std::is_eq(order)) continue;
    if (!shape.order[i].descending || order == std::partial_ordering::unordered) return order;
    return std::is_lt(order) ? std::partial_ordering::greater : std::partial_ordering::less;
  }
  return std::partial_ordering::equivalent;
}

}  // namespace lapse::query::exec
