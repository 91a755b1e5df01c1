// Keys of the meta family: the catalog, the clock, the tallies of partitions, and a secret for the APIs.
#pragma once

#include <cstdint>
#include <string>

#include "engine/records/ids/ids.h"

namespace lapse::engine {

// The first byte of a key of the meta family.
enum class MetaKind : uint8_t {
  kClock = 1,
  kIdCounter = 2,
  kDatabase = 3,
  kContainer = 4,
  kPartition = 5,
  kTally = 6,
  kClockReset = 7,
  kHeldBodies = 8,
  kOwnedResource = 9,
  kOwnedResourceCounter = 10,
  kSecret = 11,
  kIndexBuild = 12,
  // 13 and 14 are reserved for settings and for the progress of builds that change lifetimes.
  kPartitionPolicy = 15,
  // 16 is reserved for the names of dropped containers.
};

std::string MetaPrefix(MetaKind kind);

std::string ClockKey();
std::string ClockResetKey();
std::string IdCounterKey();
std::string DatabaseKey(DatabaseId id);
std::string ContainerKey(ContainerId id);
std::string PartitionDefinitionKey(PartitionId id);
std::string PartitionTallyKey(PartitionId id);
std::string HeldBodiesKey(PartitionId id);
std::string OwnedResourceKey(DatabaseId database, ResourceNumber number);
std::string OwnedResourceCounterKey();
std::string SecretKey();
// `index`: an id from the counter of containers.
std::string IndexBuildKey(PartitionId id, ContainerId index);
// The prefix of the keys of all builds of a partition.
std::string IndexBuildsOf(PartitionId id);
std::string PartitionPolicyKey(PartitionId id);

}  // namespace lapse::engine
