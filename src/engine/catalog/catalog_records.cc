#include "engine/catalog/catalog_records.h"

#include <utility>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;
// Databases and containers say how their throughput changed since this version.
constexpr uint8_t kVersionWithChanges = 2;
constexpr uint32_t kPathsMax = 100;  // far above what any front end allows

std::string BeginRecord(uint8_t version = kVersion) {
  return std::string(1, static_cast<char>(version));
}

Status Malformed(std::string_view what) {
  return {Code::kCorruption, std::string("malformed ").append(what).append(" record in the catalog")};
}

void PutThroughput(std::string* out, const Throughput& throughput) {
  out->push_back(static_cast<char>(throughput.kind()));
  PutLittleEndian(out, static_cast<uint32_t>(throughput.ru_per_second()));
}

bool TakeThroughput(ByteReader* reader, Throughput* throughput) {
  const auto kind = static_cast<Throughput::Kind>(reader->Byte());
  const int ru_per_second = static_cast<int>(reader->LittleEndian<uint32_t>());
  *throughput = kind == Throughput::Kind::kAutoscale ? Throughput::Autoscale(ru_per_second) : Throughput(ru_per_second);
  return reader->ok() && throughput->kind() == kind && throughput->Check().ok();
}

void PutThroughputChanges(std::string* out, const ThroughputChanges& changes) {
  PutLittleEndian(out, changes.revision);
  PutLittleEndian(out, changes.last_s);
  PutLittleEndian(out, static_cast<uint32_t>(changes.ru_most));
}

// A record of the first version says nothing of them: as if none had been since the owner's own last change.
ThroughputChanges TakeThroughputChanges(ByteReader* reader, uint8_t version, const Throughput& now,
                                        int64_t owner_ts_s) {
  if (version == kVersion) return {.last_s = owner_ts_s, .ru_most = now.ru_per_second()};
  ThroughputChanges changes;
  changes.revision = reader->LittleEndian<uint64_t>();
  changes.last_s = reader->LittleEndian<int64_t>();
  changes.ru_most = static_cast<int>(reader->LittleEndian<uint32_t>());
  return changes;
}

bool IsKnown(uint8_t version) {
  return version == kVersion || version == kVersionWithChanges;
}

void PutPartitionKey(std::string* out, const PartitionKeyDefinition& definition) {
  out->push_back(static_cast<char>(definition.kind));
  out->push_back(static_cast<char>(definition.version));
  PutLittleEndian(out, static_cast<uint32_t>(definition.paths.size()));
  for (const doc::Path& path : definition.paths) {
    PutLittleEndian(out, static_cast<uint32_t>(path.names().size()));
    for (const std::string& name : path.names()) PutText(out, name);
  }
}

bool TakePartitionKey(ByteReader* reader, PartitionKeyDefinition* definition) {
  definition->kind = static_cast<PartitionKeyKind>(reader->Byte());
  definition->version = reader->Byte();
  uint32_t paths = reader->LittleEndian<uint32_t>();
  if (!reader->ok() || paths > kPathsMax) return false;
  for (uint32_t i = 0; i < paths; ++i) {
    std::vector<std::string> names;
    for (uint32_t left = reader->LittleEndian<uint32_t>(); left > 0 && reader->ok(); --left) {
      names.emplace_back(reader->Text());
    }
    definition->paths.emplace_back(std::move(names));
  }
  return reader->ok() &&
         (definition->kind == PartitionKeyKind::kHash || definition->kind == PartitionKeyKind::kMultiHash);
}

}  // namespace

std::string EncodeIdCounters(const IdCounters& counters) {
  std::string out = BeginRecord();
  PutLittleEndian(&out, counters.last_database);
  PutLittleEndian(&out, counters.last_container);
  return out;
}

Result<IdCounters> DecodeIdCounters(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  IdCounters counters;
  counters.last_database = reader.LittleEndian<uint32_t>();
  counters.last_container = reader.LittleEndian<uint32_t>();
  if (!reader.AtEnd() || version != kVersion) return Malformed("id");
  return counters;
}

std::string EncodeDatabase(const Database& database) {
  std::string out = BeginRecord(kVersionWithChanges);
  PutText(&out, database.name);
  PutLittleEndian(&out, static_cast<uint64_t>(database.ts_s));
  PutThroughput(&out, database.throughput);
  PutText(&out, database.properties);
  PutThroughputChanges(&out, database.throughput_changes);
  return out;
}

Result<Database> DecodeDatabase(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  Database database;
  database.name = reader.Text();
  database.ts_s = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  if (!TakeThroughput(&reader, &database.throughput)) return Malformed("database");
  database.properties = reader.Text();
  database.throughput_changes = TakeThroughputChanges(&reader, version, database.throughput, database.ts_s);
  if (!reader.AtEnd() || !IsKnown(version)) return Malformed("database");
  return database;
}

std::string EncodeContainer(DatabaseId database, const ContainerState& state) {
  std::string out = BeginRecord(kVersionWithChanges);
  PutLittleEndian(&out, database);
  PutText(&out, state.definition.name);
  PutPartitionKey(&out, state.definition.partition_key);
  PutThroughput(&out, state.definition.throughput);
  PutLittleEndian(&out, state.definition.change_log_retention_s);
  PutLittleEndian(&out, state.log_since_lsn);
  PutLittleEndian(&out, static_cast<uint64_t>(state.ts_s));
  PutLittleEndian(&out, state.revision);
  PutText(&out, state.definition.properties);
  PutThroughputChanges(&out, state.throughput_changes);
  state.policy.Encode(&out);
  state.dead.Encode(&out);
  state.history.Encode(&out);
  return out;
}

Result<ContainerRecord> DecodeContainer(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  ContainerRecord record;
  record.database = reader.LittleEndian<uint32_t>();
  ContainerState& state = record.state;
  state.definition.name = reader.Text();
  if (!IsKnown(version) || !TakePartitionKey(&reader, &state.definition.partition_key)) return Malformed("container");
  if (!TakeThroughput(&reader, &state.definition.throughput)) return Malformed("container");
  state.definition.change_log_retention_s = reader.LittleEndian<int64_t>();
  state.log_since_lsn = reader.LittleEndian<uint64_t>();
  state.ts_s = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  state.revision = reader.LittleEndian<uint64_t>();
  state.definition.properties = reader.Text();
  state.throughput_changes = TakeThroughputChanges(&reader, version, state.definition.throughput, state.ts_s);
  if (!reader.ok()) return Malformed("container");
  std::string_view rest = reader.rest();
  bool decoded = ttl::Policy::Decode(&rest, &state.policy) && ttl::Floors::Decode(&rest, &state.dead) &&
                 ttl::PolicyHistory::Decode(&rest, &state.history);
  if (!decoded || !rest.empty()) return Malformed("container");
  state.definition.default_ttl = state.policy.default_ttl;
  return record;
}

std::string EncodePartition(const EpkRange& range) {
  std::string out = BeginRecord();
  PutText(&out, range.min);
  PutText(&out, range.max);
  return out;
}

Result<EpkRange> DecodePartition(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  EpkRange range;
  range.min = reader.Text();
  range.max = reader.Text();
  if (!reader.AtEnd() || version != kVersion) return Malformed("partition");
  return range;
}

}  // namespace lapse::engine
