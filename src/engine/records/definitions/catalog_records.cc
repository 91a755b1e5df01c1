#include "engine/records/definitions/catalog_records.h"

#include <utility>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kRecordVersion = 1;
constexpr uint32_t kPathsMax = 100;  // far above what any front end allows

std::string BeginRecord() {
  return std::string(1, static_cast<char>(kRecordVersion));
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

ThroughputChanges TakeThroughputChanges(ByteReader* reader) {
  ThroughputChanges changes;
  changes.revision = reader->LittleEndian<uint64_t>();
  changes.last_s = reader->LittleEndian<int64_t>();
  changes.ru_most = static_cast<int>(reader->LittleEndian<uint32_t>());
  return changes;
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

// Flags for the indexes that a container has; the indexes follow.
constexpr uint8_t kHasIndex = 1;
constexpr uint8_t kHasIndexInMaking = 2;

void PutIndexes(std::string* out, const ContainerState& state) {
  PutLittleEndian(out, static_cast<uint8_t>((state.index.has_value() ? kHasIndex : 0) |
                                            (state.index_in_making.has_value() ? kHasIndexInMaking : 0)));
  for (const auto* index : {&state.index, &state.index_in_making}) {
    if (!index->has_value()) continue;
    PutLittleEndian(out, (*index)->id);
    (*index)->definition.Encode(out);
  }
}

bool TakeIndexes(std::string_view* bytes, const Derivation* derivation, ContainerState* state) {
  if (bytes->empty()) return false;
  const auto flags = static_cast<uint8_t>(bytes->front());
  bytes->remove_prefix(1);
  if ((flags & ~(kHasIndex | kHasIndexInMaking)) != 0) return false;
  if ((flags & kHasIndex) != 0) state->index.emplace();
  if ((flags & kHasIndexInMaking) != 0) state->index_in_making.emplace();
  for (auto* index : {&state->index, &state->index_in_making}) {
    if (!index->has_value()) continue;
    ByteReader reader(*bytes);
    (*index)->id = reader.LittleEndian<IndexId>();
    if (!reader.ok() || (*index)->id == 0) return false;
    *bytes = reader.rest();
    if (!IndexingDefinition::Decode(bytes, &(*index)->definition)) return false;
    (*index)->paths =
        std::make_shared<const IndexedPaths>((*index)->definition, state->definition.lifetime_property, derivation);
    if (!(*index)->paths->knows_rules()) return false;
  }
  return true;
}

// Decodes all remaining bytes. The history ends with the policy in force.
bool TakePolicy(std::string_view* bytes, ContainerState* state) {
  ByteReader reader(*bytes);
  state->policy_revision = reader.LittleEndian<uint64_t>();
  std::string_view rest = reader.rest();
  if (!reader.ok() || !ttl::Policy::Decode(&rest, &state->policy)) return false;
  if (!ttl::PolicyHistory::Decode(&rest, &state->history) || !rest.empty()) return false;
  const ttl::PolicyHistory::Epoch* const now = state->history.Find(state->policy_revision);
  const bool is_last = now != nullptr && now == &state->history.epochs().back();
  return is_last && now->policy == state->policy;
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
  if (!reader.AtEnd() || version != kRecordVersion) return Malformed("id");
  return counters;
}

std::string EncodeDatabase(const DatabaseRecord& database) {
  std::string out = BeginRecord();
  PutText(&out, database.name);
  PutLittleEndian(&out, static_cast<uint64_t>(database.ts_s));
  PutThroughput(&out, database.throughput);
  PutText(&out, database.properties);
  PutThroughputChanges(&out, database.throughput_changes);
  return out;
}

Result<DatabaseRecord> DecodeDatabase(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  DatabaseRecord database;
  database.name = reader.Text();
  database.ts_s = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  if (!TakeThroughput(&reader, &database.throughput)) return Malformed("database");
  database.properties = reader.Text();
  database.throughput_changes = TakeThroughputChanges(&reader);
  if (!reader.AtEnd() || version != kRecordVersion) return Malformed("database");
  return database;
}

std::string EncodeContainer(DatabaseId database, const ContainerState& state) {
  std::string out = BeginRecord();
  PutLittleEndian(&out, database);
  PutText(&out, state.definition.name);
  PutPartitionKey(&out, state.definition.partition_key);
  PutThroughput(&out, state.definition.throughput);
  PutLittleEndian(&out, state.definition.change_log_retention_s);
  PutLittleEndian(&out, static_cast<uint64_t>(state.ts_s));
  PutLittleEndian(&out, state.revision);
  PutText(&out, state.definition.properties);
  PutText(&out, state.definition.lifetime_property);
  PutThroughputChanges(&out, state.throughput_changes);
  state.definition.indexing.Encode(&out);
  PutIndexes(&out, state);
  state.definition.unique_keys.Encode(&out);
  PutLittleEndian(&out, state.policy_revision);
  state.policy.Encode(&out);
  state.history.Encode(&out);
  return out;
}

Result<ContainerRecord> DecodeContainer(std::string_view bytes, const Derivation* derivation) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  ContainerRecord record;
  record.database = reader.LittleEndian<uint32_t>();
  ContainerState& state = record.state;
  state.definition.name = reader.Text();
  if (version != kRecordVersion || !TakePartitionKey(&reader, &state.definition.partition_key))
    return Malformed("container");
  if (!TakeThroughput(&reader, &state.definition.throughput)) return Malformed("container");
  state.definition.change_log_retention_s = reader.LittleEndian<int64_t>();
  state.ts_s = static_cast<int64_t>(reader.LittleEndian<uint64_t>());
  state.revision = reader.LittleEndian<uint64_t>();
  state.definition.properties = reader.Text();
  state.definition.lifetime_property = reader.Text();
  state.throughput_changes = TakeThroughputChanges(&reader);
  if (!reader.ok()) return Malformed("container");
  std::string_view rest = reader.rest();
  if (!IndexingDefinition::Decode(&rest, &state.definition.indexing) || !TakeIndexes(&rest, derivation, &state) ||
      !UniqueKeysDefinition::Decode(&rest, &state.definition.unique_keys) || !TakePolicy(&rest, &state)) {
    return Malformed("container");
  }
  state.definition.default_ttl = state.policy.default_ttl;
  return record;
}

std::string EncodePartition(const PartitionFacts& partition) {
  std::string out = BeginRecord();
  PutText(&out, partition.range.min);
  PutText(&out, partition.range.max);
  PutLittleEndian(&out, partition.shard);
  return out;
}

Result<PartitionFacts> DecodePartition(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t version = reader.Byte();
  PartitionFacts partition;
  partition.range.min = reader.Text();
  partition.range.max = reader.Text();
  partition.shard = reader.LittleEndian<ShardNumber>();
  if (!reader.AtEnd() || version != kRecordVersion) return Malformed("partition");
  return partition;
}

}  // namespace lapse::engine
