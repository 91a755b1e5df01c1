// Keys of the families that hold items (docs/formats.md draws the bytes). Numbers are big-endian, so that keys sort by
// them.
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

// The prefix of the keys of one container in each of these families.
std::string ContainerPrefix(ContainerId id);
constexpr size_t kContainerPrefixBytes = sizeof(ContainerId);

// --- head: [container][logical key][typed id], where a logical key is [effective key, escaped and ended][values][FF].
// It does not contain the partition, so splitting a partition moves nothing.
std::string HeadKey(ContainerId id, const ItemAddress& address);

// The parts of a head key.
struct HeadKeyParts {
  std::string epk;
  std::string_view value;  // see LogicalKey
  std::string_view id;
};
// Returns false if the key is malformed.
bool SplitHeadKey(std::string_view head_key, HeadKeyParts* parts);

// Returns container and logical key, the common prefix of head keys, members and entries of unique keys. Returns the
// whole key if it is malformed.
std::string_view LogicalPrefixOf(std::string_view head_key);

// --- member: [container][logical key][item number]. One entry for each item, written when it is created.
std::string MemberPrefix(ContainerId id, const LogicalKey& key);
std::string MemberKey(ContainerId id, const LogicalKey& key, ItemNumber item);
// The entry of the item under this head key.
std::string MemberKeyOf(std::string_view head_key, ItemNumber item);
// The lower bound of the keys of an effective partition key.
std::string EpkBound(ContainerId id, std::string_view epk);

// Bounds of the members that are in the scope and in a partition with this range.
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
// Returns the item; nullopt if the key is too short.
std::optional<ItemNumber> ItemOfMemberKey(std::string_view member_key);

// --- record: [container][item number].
std::string RecordKey(ContainerId id, ItemNumber item);
std::optional<ItemNumber> ItemOfRecordKey(std::string_view record_key);

// --- body: [container][partition][class][sequence].
// Bodies that inherit their lifetime are kept apart from those with one of their own. So they expire in sequence order,
// from the front, with no immortal bodies in between.
enum class BodyClass : uint8_t { kInheriting = 0, kOwnLifetime = 1 };
BodyClass ClassOf(const ttl::Lifetime& lifetime);
std::string BodyPrefix(PartitionId partition, BodyClass body_class);
// The lower bound of the bodies with this sequence or a later one.
std::string BodyBound(PartitionId partition, BodyClass body_class, Sequence sequence);
std::string BodyKey(PartitionId partition, const ttl::Lifetime& lifetime);
void AppendBodyKey(PartitionId partition, const ttl::Lifetime& lifetime, std::string* key);
constexpr size_t kBodyPrefixBytes = kContainerPrefixBytes + sizeof(PartitionNumber) + 1;

// --- queue: [container][partition][rule][base, milliseconds][sequence].
std::string QueueKey(PartitionId partition, ttl::RuleId rule, int64_t base_ms, Sequence sequence);
// The queue key of an item with its own ttl, or nullopt if it is in no queue.
std::optional<std::string> QueueKeyOf(PartitionId partition, const ttl::Lifetime& lifetime);

}  // namespace lapse::engine
