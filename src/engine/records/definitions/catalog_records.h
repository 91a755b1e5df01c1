// The values in the meta family: databases, containers, partitions, and the counters that supply ids. Each value begins
// with a version byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/definitions/database_record.h"
#include "engine/records/index/derivation.h"
#include "engine/records/partitions/partition_facts.h"

namespace lapse::engine {

struct IdCounters {
  DatabaseId last_database = 0;
  ContainerId last_container = 0;
};

std::string EncodeIdCounters(const IdCounters& counters);
Result<IdCounters> DecodeIdCounters(std::string_view bytes);

// The id is in the key.
std::string EncodeDatabase(const DatabaseRecord& database);
Result<DatabaseRecord> DecodeDatabase(std::string_view bytes);

struct ContainerRecord {
  DatabaseId database = 0;
  ContainerState state;
};

std::string EncodeContainer(DatabaseId database, const ContainerState& state);
// The derivation may be null. Fails: kCorruption, also for a rule that the derivation does not know.
Result<ContainerRecord> DecodeContainer(std::string_view bytes, const Derivation* derivation);

// The id is in the key.
std::string EncodePartition(const PartitionFacts& partition);
Result<PartitionFacts> DecodePartition(std::string_view bytes);

}  // namespace lapse::engine
