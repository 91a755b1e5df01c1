// Keys of the families that hold items, byte by byte (docs/formats.md draws them). Numbers are big-endian, so keys sort
// by them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"
#include "engine/records/partition_key/partition_key.h"
#include "ttl/policy.h"

namespace lapse::engine {

// What the keys of one container begin with, in each of these families.
std::string ContainerPrefix(ContainerId id);
constexpr size_t kContainerPrefixBytes = sizeof(ContainerId);

// --- head: [container][logical key][typed id], where a logical key is [effective key, escaped and ended][values][FF].
// There is no partition in it: splitting a partition moves nothing.
std::string HeadKey(ContainerId id, const ItemAddress& address);

// What a head key says.
struct HeadKeyParts {
  std::string epk;
  std::string_view value;  // see LogicalKey
  std::string_view id;
};
// False when the key is malformed.
bool SplitHeadKey(std::string_view head_key, HeadKeyParts* parts);

// Container and logical key, which head keys, members and entries of unique keys begin with. All of the key when it is
// malformed.
std::string_view LogicalPrefixOf(std::string_view head_key);

// --- member: [container][logical key][item number]. One entry for each item, written when it is created.
std::string MemberPrefix(ContainerId id, const LogicalKey& key);
std::string MemberKey(ContainerId id, const LogicalKey& key, ItemNumber item);
// The entry of the item that this head key leads to.
std::string MemberKeyOf(std::string_view head_key, ItemNumber item);
// Where the keys of an effective partition key begin, as a bound.
std::string EpkBound(ContainerId id, std::string_view epk);

// The members of the scope in a partition with this range lie between these keys.
struct KeyBounds {
  std::string lower;  // inclusive
  std::string upper;  // exclusive
};
KeyBounds MemberBoundsOf(ContainerId id, const KeyScope& scope, const EpkRange& range);

struct MemberKeyParts {
  std::string epk;
  std::string_view value;
  ItemNumber item = 0;
};
bool SplitMemberKey(std::string_view member_key, MemberKeyParts* parts);
// The item alone; nullopt when the key is too short.
std::optional<ItemNumber> ItemOfMemberKey(std::string_view member_key);

// --- record: [container][item number].
std::string RecordKey(ContainerId id, ItemNumber item);
std::optional<ItemNumber> ItemOfRecordKey(std::string_view record_key);

// --- body: [container][partition][class][sequence]. Bodies that inherit their lifetime are kept apart from those with
// one of their own: they die in the order of their sequence, from the front, and no immortal one sits between them.
enum class BodyClass : uint8_t { kInheriting = 0, kOwnLifetime = 1 };
BodyClass ClassOf(const ttl::Lifetime& lifetime);
std::string BodyPrefix(PartitionId partition, BodyClass body_class);
// Where the bodies with this sequence or a later one begin.
std::string BodyBound(PartitionId partition, BodyClass body_class, Sequence sequence);
std::string BodyKey(PartitionId partition, const ttl::Lifetime& lifetime);
void AppendBodyKey(PartitionId partition, const ttl::Lifetime& lifetime, std::string* key);
constexpr size_t kBodyPrefixBytes = kContainerPrefixBytes + sizeof(PartitionNumber) + 1;

// --- queue: [container][partition][rule][base, milliseconds][sequence].
std::string QueueKey(PartitionId partition, ttl::RuleId rule, int64_t base_ms, Sequence sequence);
// That of an item with an own ttl; nullopt: it is in no queue.
std::optional<std::string> QueueKeyOf(PartitionId partition, const ttl::Lifetime& lifetime);

}  // namespace lapse::engine
