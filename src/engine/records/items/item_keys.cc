#include "engine/records/items/item_keys.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "engine/records/ids/key_bytes.h"

namespace lapse::engine {
namespace {

constexpr char kStringId = 0x02;  // BSON's type number, as for every other type an id may have

// Ends the values of a logical key. No value begins with it.
constexpr char kValuesEnd = '\xFF';

void PutLogicalKey(std::string* out, const LogicalKey& key) {
  PutEscapedText(out, key.epk);
  out->append(key.value);
  out->push_back(kValuesEnd);
}

void PutPartition(std::string* out, PartitionId partition) {
  PutBigEndian(out, partition.container);
  PutBigEndian(out, partition.number);
}

// The logical key within a key.
struct LogicalKeyBytes {
  std::string_view epk;  // escaped and ended
  std::string_view value;
  size_t end = 0;  // offset in the key
};

std::optional<LogicalKeyBytes> FindLogicalKey(std::string_view key) {
  if (key.size() < kContainerPrefixBytes) return std::nullopt;
  const std::string_view rest = key.substr(kContainerPrefixBytes);
  const std::optional<size_t> epk_bytes = EscapedTextBytes(rest);
  if (!epk_bytes.has_value()) return std::nullopt;
  const std::string_view values = rest.substr(*epk_bytes);
  size_t value_bytes = 0;
  while (value_bytes < values.size() && values[value_bytes] != kValuesEnd) {
    const std::optional<size_t> one = KeyValueBytes(values.substr(value_bytes));
    if (!one.has_value()) return std::nullopt;
    value_bytes += *one;
  }
  if (value_bytes == values.size()) return std::nullopt;
  return LogicalKeyBytes{rest.substr(0, *epk_bytes), values.substr(0, value_bytes),
                         kContainerPrefixBytes + *epk_bytes + value_bytes + 1};
}

}  // namespace

std::string StringItemId(std::string_view id) {
  std::string typed;
  typed.reserve(id.size() + 1);
  typed.push_back(kStringId);
  typed.append(id);
  return typed;
}

std::string ContainerPrefix(ContainerId id) {
  std::string key;
  PutBigEndian(&key, id);
  return key;
}

std::string HeadKey(ContainerId id, const ItemAddress& address) {
  std::string key;
  key.reserve(kContainerPrefixBytes + address.key.epk.size() + address.key.value.size() + address.id.size() + 8);
  PutBigEndian(&key, id);
  PutLogicalKey(&key, address.key);
  key.append(address.id);
  return key;
}

bool SplitHeadKey(std::string_view head_key, HeadKeyParts* parts) {
  const std::optional<LogicalKeyBytes> found = FindLogicalKey(head_key);
  if (!found.has_value()) return false;
  UnescapeText(found->epk, &parts->epk);
  parts->value = found->value;
  parts->id = head_key.substr(found->end);
  return true;
}

std::string_view LogicalPrefixOf(std::string_view head_key) {
  const std::optional<LogicalKeyBytes> found = FindLogicalKey(head_key);
  return head_key.substr(0, found.has_value() ? found->end : head_key.size());
}

std::string EpkBound(ContainerId id, std::string_view epk) {
  std::string key = ContainerPrefix(id);
  PutEscaped(&key, epk);
  return key;
}

std::string MemberPrefix(ContainerId id, const LogicalKey& key) {
  std::string prefix = ContainerPrefix(id);
  PutLogicalKey(&prefix, key);
  return prefix;
}

std::string MemberKey(ContainerId id, const LogicalKey& key, ItemNumber item) {
  std::string member = MemberPrefix(id, key);
  PutBigEndian(&member, item);
  return member;
}

std::string MemberKeyOf(std::string_view head_key, ItemNumber item) {
  std::string member(LogicalPrefixOf(head_key));
  PutBigEndian(&member, item);
  return member;
}

KeyBounds MemberBoundsOf(ContainerId id, const KeyScope& scope, const EpkRange& range) {
  if (scope.exact.has_value()) {
    std::string prefix = MemberPrefix(id, *scope.exact);
    std::string end = PrefixEnd(prefix);
    return {std::move(prefix), std::move(end)};
  }
  return {EpkBound(id, std::max(scope.range.min, range.min)), EpkBound(id, std::min(scope.range.max, range.max))};
}

bool SplitMemberKey(std::string_view member_key, MemberKeyParts* parts) {
  const std::optional<LogicalKeyBytes> found = FindLogicalKey(member_key);
  if (!found.has_value()) return false;
  UnescapeText(found->epk, &parts->epk);
  parts->value = found->value;
  ByteReader reader(member_key.substr(found->end));
  parts->item = reader.BigEndian<ItemNumber>();
  return reader.AtEnd();
}

std::optional<ItemNumber> ItemOfMemberKey(std::string_view member_key) {
  if (member_key.size() < kContainerPrefixBytes + sizeof(ItemNumber)) return std::nullopt;
  return ByteReader(member_key.substr(member_key.size() - sizeof(ItemNumber))).BigEndian<ItemNumber>();
}

std::string RecordKey(ContainerId id, ItemNumber item) {
  std::string key = ContainerPrefix(id);
  PutBigEndian(&key, item);
  return key;
}

std::optional<ItemNumber> ItemOfRecordKey(std::string_view record_key) {
  ByteReader reader(record_key);
  reader.Take(kContainerPrefixBytes);
  const auto item = reader.BigEndian<ItemNumber>();
  return reader.AtEnd() ? std::optional(item) : std::nullopt;
}

BodyClass ClassOf(const ttl::Lifetime& lifetime) {
  bool inherits = !lifetime.own_ttl.has_value() && lifetime.dates.empty();
  return inherits ? BodyClass::kInheriting : BodyClass::kOwnLifetime;
}

std::string BodyPrefix(PartitionId partition, BodyClass body_class) {
  std::string key;
  key.reserve(kBodyPrefixBytes + sizeof(Sequence));
  PutPartition(&key, partition);
  key.push_back(static_cast<char>(body_class));
  return key;
}

std::string BodyBound(PartitionId partition, BodyClass body_class, Sequence sequence) {
  std::string key = BodyPrefix(partition, body_class);
  PutBigEndian(&key, sequence);
  return key;
}

std::string BodyKey(PartitionId partition, const ttl::Lifetime& lifetime) {
  std::string key;
  AppendBodyKey(partition, lifetime, &key);
  return key;
}

void AppendBodyKey(PartitionId partition, const ttl::Lifetime& lifetime, std::string* key) {
  PutPartition(key, partition);
  key->push_back(static_cast<char>(ClassOf(lifetime)));
  PutBigEndian(key, lifetime.sequence);
}

std::string QueueKey(PartitionId partition, ttl::RuleId rule, int64_t base_ms, Sequence sequence) {
  std::string key;
  key.reserve(28);
  PutPartition(&key, partition);
  PutBigEndian(&key, rule);
  PutBigEndian(&key, Sortable(base_ms));
  PutBigEndian(&key, sequence);
  return key;
}

std::optional<std::string> QueueKeyOf(PartitionId partition, const ttl::Lifetime& lifetime) {
  if (lifetime.ServerRule() != ttl::kOwnRule) return std::nullopt;
  return QueueKey(partition, ttl::kOwnRule, lifetime.ServerBaseMs(), lifetime.sequence);
}

}  // namespace lapse::engine
