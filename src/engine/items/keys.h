// Every key of the shard, byte by byte (docs/formats.md draws them). Numbers are big-endian, so keys sort by them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/catalog/container.h"
#include "engine/items/item.h"
#include "store/shard.h"
#include "ttl/policy.h"

namespace lapse::engine {

// The order of EngineFamilies().
constexpr store::FamilyId kMetaFamily = 0;    // catalog, clock, tallies: nothing of it is dropped by a compaction
constexpr store::FamilyId kHeadFamily = 1;    // item key -> head
constexpr store::FamilyId kBodyFamily = 2;    // commit order -> body
constexpr store::FamilyId kQueueFamily = 3;   // expiry order of items with a lifetime of their own
constexpr store::FamilyId kCohortFamily = 4;  // how many items die together
constexpr store::FamilyId kLogFamily = 5;     // change logs

// --- meta family
std::string ClockKey();
std::string ClockResetKey();
std::string IdCounterKey();
std::string DatabaseKey(DatabaseId id);
std::string ContainerKey(ContainerId id);
std::string PartitionDefinitionKey(ContainerId id, uint32_t stream);
std::string PartitionTallyKey(ContainerId id, uint32_t stream);
// The part of the meta family that holds records of one kind.
enum class MetaKind : uint8_t {
  kClock = 1,
  kIdCounter = 2,
  kDatabase = 3,
  kContainer = 4,
  kPartition = 5,
  kTally = 6,
  kClockReset = 7
};
std::string MetaPrefix(MetaKind kind);

// Signed to unsigned and back, so that the order is kept.
constexpr uint64_t Sortable(int64_t value) {
  return static_cast<uint64_t>(value) ^ (uint64_t{1} << 63);
}
constexpr int64_t FromSortable(uint64_t value) {
  return static_cast<int64_t>(value ^ (uint64_t{1} << 63));
}

// The smallest string that is greater than every string with this prefix; empty when there is none.
std::string PrefixEnd(std::string_view prefix);

// --- head family: [container][effective partition key, escaped and ended][typed id]. No partition in it: splitting a
// partition moves nothing.
std::string ContainerPrefix(ContainerId id);
std::string HeadKey(ContainerId id, const ItemAddress& address);
// Where the keys of an effective partition key begin (as a bound), and the prefix that all its items share.
std::string EpkBound(ContainerId id, std::string_view epk);
std::string EpkPrefix(ContainerId id, std::string_view epk);
// The effective partition key in a head key of this container; false when the key is malformed.
bool EpkOfHeadKey(std::string_view head_key, std::string* epk);
// What the keys of one container begin with, and those of the bodies of one partition and class.
constexpr size_t kContainerPrefixBytes = sizeof(ContainerId);
constexpr size_t kBodyPrefixBytes = kContainerPrefixBytes + sizeof(uint32_t) + 1;

// --- body family: [container][stream][class][LSN]. Bodies that inherit their lifetime are kept apart from those with
// one of their own: they die in LSN order, from the front, and no immortal one sits between them.
enum class BodyClass : uint8_t { kInheriting = 0, kOwnLifetime = 1 };
BodyClass ClassOf(const ttl::Lifetime& lifetime);
std::string BodyPrefix(ContainerId id, uint32_t stream, BodyClass body_class);
// Where the bodies with this LSN or a later one begin.
std::string BodyBound(ContainerId id, uint32_t stream, BodyClass body_class, uint64_t lsn);
std::string BodyKey(ContainerId id, uint32_t stream, const ttl::Lifetime& lifetime);

// --- queue family: [container][stream][rule][base, milliseconds][LSN].
std::string QueueKey(ContainerId id, uint32_t stream, ttl::RuleId rule, int64_t base_ms, uint64_t lsn);

}  // namespace lapse::engine
