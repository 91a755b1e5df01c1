// The values in the meta family: databases, containers, partitions, and the counters that ids come from.
// Each begins with a version byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/store/catalog.h"
#include "engine/records/definitions/container_state.h"

namespace lapse::engine {

struct IdCounters {
  DatabaseId last_database = 0;
  ContainerId last_container = 0;
};

std::string EncodeIdCounters(const IdCounters& counters);
Result<IdCounters> DecodeIdCounters(std::string_view bytes);

// The id is in the key.
std::string EncodeDatabase(const Database& database);
Result<Database> DecodeDatabase(std::string_view bytes);

struct ContainerRecord {
  DatabaseId database = 0;
  ContainerState state;
};

std::string EncodeContainer(DatabaseId database, const ContainerState& state);
// The derivation may be null. Fails: kCorruption, also for a rule that it does not know.
Result<ContainerRecord> DecodeContainer(std::string_view bytes, const Derivation* derivation);

std::string EncodePartition(const EpkRange& range);
Result<EpkRange> DecodePartition(std::string_view bytes);

}  // namespace lapse::engine
