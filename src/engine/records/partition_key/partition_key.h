// Effective partition keys: an item's place in the key space, computed exactly as the official clients compute it.
//
// An effective partition key (EPK) is a byte string; the wire shows its upper-case hex. The whole space is ["",
// "\xFF"): every EPK is in it.
//
//   hash, version 1  number(hash32) value...   hash32: murmur3-x86-32 of the components; both in an order-keeping code
//   hash, version 2  16 bytes                  murmur3-x64-128 of the components, reversed, the top two bits cleared
//   multi-hash       16 bytes for each level   as version 2, level by level: the levels above are a prefix
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "doc/path.h"

namespace lapse::engine {

// The value at one path of the partition key.
struct PartitionKeyComponent {
  struct MissingValue {
    bool operator==(const MissingValue&) const = default;
  };
  struct NullValue {
    bool operator==(const NullValue&) const = default;
  };

  // Named, because a string literal would turn into a bool.
  static PartitionKeyComponent Missing() { return {MissingValue{}}; }  // "undefined", "None", {}
  static PartitionKeyComponent Null() { return {NullValue{}}; }
  static PartitionKeyComponent Bool(bool value) { return {value}; }
  static PartitionKeyComponent Number(double value) { return {value}; }
  static PartitionKeyComponent String(std::string value) { return {std::move(value)}; }  // UTF-8

  std::variant<MissingValue, NullValue, bool, double, std::string> value;

  bool operator==(const PartitionKeyComponent&) const = default;
};

enum class PartitionKeyKind { kHash, kMultiHash };

struct PartitionKeyDefinition {
  std::vector<doc::Path> paths;
  PartitionKeyKind kind = PartitionKeyKind::kHash;
  int version = 2;  // 1 or 2; multi-hash is always 2
};

// Returns "" for no components (a container whose items have no partition key).
std::string EffectivePartitionKey(const PartitionKeyDefinition& definition,
                                  std::span<const PartitionKeyComponent> components);

// The keys from min (inclusive) to max (exclusive).
struct EpkRange {
  std::string min;
  std::string max;

  bool Contains(std::string_view epk) const { return epk >= min && epk < max; }
  bool operator==(const EpkRange&) const = default;
};

EpkRange WholeEpkSpace();

// Returns the range of effective keys with these first components of a hierarchical key. All components give the range
// of a single key, and none give the whole space.
EpkRange PrefixRange(const PartitionKeyDefinition& definition, std::span<const PartitionKeyComponent> components);

// Encodes the values of a key, concatenated. Each value is self-delimiting. So the bytes of the first levels of a
// hierarchical key are a prefix of all keys below them, and of no others.
//
//   missing 00, null 01, false 02, true 03
//   number  05, and 8 bytes: the double, little-endian
//   string  08, and the text with each byte 00 as 00 FF, ended by 00 00
std::string EncodeKeyValue(std::span<const PartitionKeyComponent> components);
// Returns the size of the first value, or nullopt if there is none.
std::optional<size_t> KeyValueBytes(std::string_view encoded);

// A logical partition, identified by its value: different values are different logical partitions, even if their
// effective keys are equal.
struct LogicalKey {
  std::string epk;
  std::string value;  // by EncodeKeyValue

  bool operator==(const LogicalKey&) const = default;
};

LogicalKey LogicalKeyOf(const PartitionKeyDefinition& definition, std::span<const PartitionKeyComponent> components);

// Some of a container's logical partitions.
struct KeyScope {
  EpkRange range = WholeEpkSpace();  // of effective keys
  std::string value_prefix;          // prefix of their values
  std::optional<LogicalKey> exact;   // only this one; the other fields are then ignored

  bool Contains(std::string_view epk, std::string_view value) const {
    if (exact.has_value()) return epk == exact->epk && value == exact->value;
    return range.Contains(epk) && value.starts_with(value_prefix);
  }
  // Returns true if the scope contains all keys in the range, whatever their values.
  bool Covers(const EpkRange& keys) const {
    return !exact.has_value() && value_prefix.empty() && range.min <= keys.min && keys.max <= range.max;
  }
  bool Touches(const EpkRange& keys) const {
    if (exact.has_value()) return keys.Contains(exact->epk);
    return range.min < keys.max && keys.min < range.max;
  }
  bool empty() const { return !exact.has_value() && range.min >= range.max; }
};

// Splits the whole space into adjacent ranges with equal shares of the keys. For version 1, the bounds are those that
// Azure shows. `partitions` is at least 1.
std::vector<EpkRange> SplitEvenly(int partitions, const PartitionKeyDefinition& definition);

}  // namespace lapse::engine
