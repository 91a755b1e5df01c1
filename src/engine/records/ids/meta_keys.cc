#include "engine/records/ids/meta_keys.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

std::string KeyOf(MetaKind kind, uint32_t id) {
  std::string key = MetaPrefix(kind);
  PutBigEndian(&key, id);
  return key;
}

std::string KeyOf(MetaKind kind, PartitionId id) {
  std::string key = KeyOf(kind, id.container);
  PutBigEndian(&key, id.number);
  return key;
}

}  // namespace

std::string MetaPrefix(MetaKind kind) {
  return std::string(1, static_cast<char>(kind));
}
std::string ClockKey() {
  return MetaPrefix(MetaKind::kClock);
}
std::string ClockResetKey() {
  return MetaPrefix(MetaKind::kClockReset);
}
std::string IdCounterKey() {
  return MetaPrefix(MetaKind::kIdCounter);
}
std::string DatabaseKey(DatabaseId id) {
  return KeyOf(MetaKind::kDatabase, id);
}
std::string ContainerKey(ContainerId id) {
  return KeyOf(MetaKind::kContainer, id);
}
std::string PartitionDefinitionKey(PartitionId id) {
  return KeyOf(MetaKind::kPartition, id);
}
std::string PartitionTallyKey(PartitionId id) {
  return KeyOf(MetaKind::kTally, id);
}
std::string HeldBodiesKey(PartitionId id) {
  return KeyOf(MetaKind::kHeldBodies, id);
}
std::string OwnedResourceKey(DatabaseId database, ResourceNumber number) {
  std::string key = KeyOf(MetaKind::kOwnedResource, database);
  PutBigEndian(&key, number);
  return key;
}
std::string OwnedResourceCounterKey() {
  return MetaPrefix(MetaKind::kOwnedResourceCounter);
}
std::string SecretKey() {
  return MetaPrefix(MetaKind::kSecret);
}
std::string IndexBuildKey(PartitionId id, ContainerId index) {
  std::string key = IndexBuildsOf(id);
  PutBigEndian(&key, index);
  return key;
}
std::string IndexBuildsOf(PartitionId id) {
  return KeyOf(MetaKind::kIndexBuild, id);
}
std::string PartitionPolicyKey(PartitionId id) {
  return KeyOf(MetaKind::kPartitionPolicy, id);
}

}  // namespace lapse::engine
