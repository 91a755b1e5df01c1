#include "engine/records/partition_key/partition_key.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <limits>

#include "base/bytes.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/partition_key/murmur3.h"

namespace lapse::engine {
namespace {

// The first byte of an encoded component.
enum Marker : char { kMissing = 0, kNull = 1, kFalse = 2, kTrue = 3, kNumber = 5, kString = 8 };

constexpr char kStringEndV1 = '\x00';
constexpr char kStringEndV2 = '\xFF';
constexpr char kSpaceEnd = '\xFF';          // greater than the first byte of any key
constexpr uint8_t kHashTopByte_max = 0x3F;  // of version 2: the top two bits are cleared
constexpr size_t kHashBytes = 16;           // of version 2
constexpr size_t kUtf16Units_max = 100;     // of a string in version 1; the rest is ignored

Marker MarkerOf(const PartitionKeyComponent& component) {
  if (std::holds_alternative<PartitionKeyComponent::MissingValue>(component.value)) return kMissing;
  if (std::holds_alternative<PartitionKeyComponent::NullValue>(component.value)) return kNull;
  if (const bool* value = std::get_if<bool>(&component.value)) return *value ? kTrue : kFalse;
  return std::holds_alternative<double>(component.value) ? kNumber : kString;
}

bool IsV1(const PartitionKeyDefinition& definition) {
  return definition.kind == PartitionKeyKind::kHash && definition.version == 1;
}

size_t Utf8Length(uint8_t lead) {
  if (lead < 0xC0) return 1;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

// Returns the first 100 UTF-16 code units. A surrogate pair that would be split becomes U+FFFD.
std::string TruncateForV1(std::string_view text) {
  if (text.size() <= kUtf16Units_max) return std::string(text);
  size_t units = 0;
  size_t at = 0;
  while (at < text.size() && units < kUtf16Units_max) {
    size_t length = Utf8Length(static_cast<uint8_t>(text[at]));
    bool pair = length == 4;
    if (pair && units + 1 == kUtf16Units_max) return std::string(text.substr(0, at)) + "\xEF\xBF\xBD";
    units += pair ? 2 : 1;
    at += length;
  }
  return std::string(text.substr(0, at));
}

// Appends a number so that its bytes sort as numbers do. The bits of the double are made unsigned. The top byte is
// unchanged, and the rest is in groups of seven bits, each with a bit that tells whether another follows.
void PutSortableNumber(double number, std::string* out) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  uint64_t bits = std::bit_cast<uint64_t>(number);
  bits = bits < kSign ? bits ^ kSign : ~bits + 1;
  out->push_back(static_cast<char>(bits >> 56));
  for (uint64_t rest = bits << 8; rest != 0;) {
    auto top = static_cast<uint8_t>(rest >> 56);
    rest <<= 7;
    out->push_back(static_cast<char>(rest != 0 ? top | 1 : top & 0xFE));
  }
}

// Appends every byte plus one, so that the zero at the end sorts before all of them.
void PutSortableString(std::string_view text, std::string* out) {
  for (uint8_t byte : TruncateForV1(text)) out->push_back(static_cast<char>(byte < 0xFF ? byte + 1 : byte));
  out->push_back(kStringEndV1);
}

void PutSortable(const PartitionKeyComponent& component, std::string* out) {
  out->push_back(MarkerOf(component));
  if (const double* number = std::get_if<double>(&component.value)) PutSortableNumber(*number, out);
  if (const std::string* text = std::get_if<std::string>(&component.value)) PutSortableString(*text, out);
}

void PutSortableHash(uint64_t hash, std::string* out) {
  out->push_back(kNumber);
  PutSortableNumber(static_cast<double>(hash), out);
}

// Appends the bytes to be hashed.
void PutForHash(const PartitionKeyComponent& component, bool v1, std::string* out) {
  out->push_back(MarkerOf(component));
  if (const double* number = std::get_if<double>(&component.value)) PutLittleEndian(out, *number);
  if (const std::string* text = std::get_if<std::string>(&component.value)) {
    out->append(v1 ? TruncateForV1(*text) : *text);
    out->push_back(v1 ? kStringEndV1 : kStringEndV2);
  }
}

std::string BytesToHash(std::span<const PartitionKeyComponent> components, bool v1) {
  std::string bytes;
  for (const PartitionKeyComponent& component : components) PutForHash(component, v1, &bytes);
  return bytes;
}

std::string KeyV1(std::span<const PartitionKeyComponent> components) {
  std::string key;
  PutSortableHash(Murmur3X86Hash32(BytesToHash(components, true)), &key);
  for (const PartitionKeyComponent& component : components) PutSortable(component, &key);
  return key;
}

std::string KeyV2(std::span<const PartitionKeyComponent> components) {
  Hash128 hash = Murmur3X64Hash128(BytesToHash(components, false));
  // The hash is two little-endian numbers. The key is its bytes in reverse.
  std::string key;
  key.reserve(kHashBytes);
  PutBigEndian(&key, hash.second);
  PutBigEndian(&key, hash.first);
  key[0] = static_cast<char>(key[0] & kHashTopByte_max);
  return key;
}

// Returns floor(maximum hash * part / parts), for version 1.
std::string BoundV1(uint64_t part, uint64_t parts) {
  std::string bound;
  PutSortableHash(std::numeric_limits<uint32_t>::max() * part / parts, &bound);
  return bound;
}

// The same for version 2, where the maximum hash is 3FFF...FF: a long division, byte by byte.
std::string BoundV2(uint64_t part, uint64_t parts) {
  std::array<uint64_t, kHashBytes> digits{};
  uint64_t remainder = 0;
  for (size_t i = 0; i < kHashBytes; ++i) {
    remainder = remainder * 256 + part * (i == 0 ? kHashTopByte_max : 0xFF);
    digits[i] = remainder / parts;
    remainder %= parts;
  }
  for (size_t i = kHashBytes - 1; i > 0; --i) {
    digits[i - 1] += digits[i] / 256;
    digits[i] %= 256;
  }
  return {digits.begin(), digits.end()};
}

}  // namespace

std::string EffectivePartitionKey(const PartitionKeyDefinition& definition,
                                  std::span<const PartitionKeyComponent> components) {
  if (components.empty()) return {};
  if (definition.kind == PartitionKeyKind::kMultiHash) {
    std::string key;
    for (size_t level = 0; level < components.size(); ++level) key += KeyV2(components.subspan(level, 1));
    return key;
  }
  return IsV1(definition) ? KeyV1(components) : KeyV2(components);
}

EpkRange WholeEpkSpace() {
  return {"", std::string(1, kSpaceEnd)};
}

EpkRange PrefixRange(const PartitionKeyDefinition& definition, std::span<const PartitionKeyComponent> components) {
  std::string prefix = EffectivePartitionKey(definition, components);
  bool whole_key = !components.empty() && components.size() >= definition.paths.size();
  // The byte string that follows a whole key is the key with a zero appended.
  std::string end = prefix + (whole_key ? '\0' : kSpaceEnd);
  return {std::move(prefix), std::move(end)};
}

std::string EncodeKeyValue(std::span<const PartitionKeyComponent> components) {
  std::string encoded;
  for (const PartitionKeyComponent& component : components) {
    encoded.push_back(MarkerOf(component));
    if (const double* number = std::get_if<double>(&component.value)) PutLittleEndian(&encoded, *number);
    if (const std::string* text = std::get_if<std::string>(&component.value)) PutEscapedText(&encoded, *text);
  }
  return encoded;
}

std::optional<size_t> KeyValueBytes(std::string_view encoded) {
  if (encoded.empty()) return std::nullopt;
  switch (encoded.front()) {
    case kMissing:
    case kNull:
    case kFalse:
    case kTrue: return 1;
    case kNumber: {
      constexpr size_t kBytes = 1 + sizeof(double);
      return encoded.size() < kBytes ? std::nullopt : std::optional(kBytes);
    }
    case kString: {
      const std::optional<size_t> text = EscapedTextBytes(encoded.substr(1));
      return text.has_value() ? std::optional(1 + *text) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

LogicalKey LogicalKeyOf(const PartitionKeyDefinition& definition, std::span<const PartitionKeyComponent> components) {
  return {EffectivePartitionKey(definition, components), EncodeKeyValue(components)};
}

std::vector<EpkRange> SplitEvenly(int partitions, const PartitionKeyDefinition& definition) {
  assert(partitions >= 1);
  auto parts = static_cast<uint64_t>(partitions);
  std::vector<EpkRange> ranges;
  ranges.reserve(parts);
  std::string min;
  for (uint64_t part = 1; part < parts; ++part) {
    std::string bound = IsV1(definition) ? BoundV1(part, parts) : BoundV2(part, parts);
    ranges.push_back({min, bound});
    min = std::move(bound);
  }
  ranges.push_back({std::move(min), std::string(1, kSpaceEnd)});
  return ranges;
}

}  // namespace lapse::engine
