#include "engine/check/stored_container.h"

#include <map>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "engine/records/definitions/catalog_records.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/ids/meta_keys.h"

namespace lapse::engine {
namespace {

// Calls `take` with the rest of each key, and the value.
template <typename Take>
Status ForEach(store::Shard* shard, const std::string& prefix, const Take& take) {
  store::IterateOptions bounds;
  bounds.lower = prefix;
  bounds.upper = PrefixEnd(prefix);
  const std::unique_ptr<store::Iterator> records = shard->NewIterator(kMetaFamily, bounds);
  for (records->SeekToFirst(); records->Valid(); records->Next()) {
    LAPSE_RETURN_IF_ERROR(take(records->key().substr(prefix.size()), records->value()));
  }
  return records->status();
}

Result<std::vector<PartitionId>> LoadPartitions(store::Shard* shard, ContainerId container) {
  std::vector<PartitionId> partitions;
  std::string prefix = MetaPrefix(MetaKind::kPartition);
  PutBigEndian(&prefix, container);
  auto take = [&](std::string_view key, std::string_view value) -> Status {
    LAPSE_RETURN_IF_ERROR(DecodePartition(value).status());
    partitions.push_back({container, ByteReader(key).BigEndian<PartitionNumber>()});
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(ForEach(shard, prefix, take));
  if (partitions.empty()) return Status(Code::kCorruption, "a container in the catalog lacks partitions");
  return partitions;
}

}  // namespace

Result<std::vector<StoredContainer>> LoadStoredContainers(store::Shard* shard, const Derivation* derivation) {
  std::map<DatabaseId, std::string> databases;
  auto take_database = [&](std::string_view key, std::string_view value) -> Status {
    LAPSE_ASSIGN_OR_RETURN(const Database database, DecodeDatabase(value));
    databases[ByteReader(key).BigEndian<DatabaseId>()] = database.name;
    return Status::Ok();
  };
  std::vector<StoredContainer> containers;
  auto take_container = [&](std::string_view key, std::string_view value) -> Status {
    LAPSE_ASSIGN_OR_RETURN(ContainerRecord record, DecodeContainer(value, derivation));
    const auto database = databases.find(record.database);
    if (database == databases.end()) return {Code::kCorruption, "a container in the catalog has no database"};
    StoredContainer container;
    container.id = ByteReader(key).BigEndian<ContainerId>();
    container.database = database->second;
    container.state = std::make_shared<const ContainerState>(std::move(record.state));
    LAPSE_ASSIGN_OR_RETURN(container.partitions, LoadPartitions(shard, container.id));
    containers.push_back(std::move(container));
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(ForEach(shard, MetaPrefix(MetaKind::kDatabase), take_database));
  LAPSE_RETURN_IF_ERROR(ForEach(shard, MetaPrefix(MetaKind::kContainer), take_container));
  return containers;
}

}  // namespace lapse::engine
