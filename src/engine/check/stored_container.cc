#include "engine/check/stored_container.h"

#include <map>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "engine/catalog/store/policy_change.h"
#include "engine/records/definitions/catalog_records.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/meta_keys.h"
#include "store/prefix_scan.h"

namespace lapse::engine {
namespace {

using Stores = std::vector<store::Shard*>;

Result<std::vector<StoredPartition>> LoadPartitions(const Stores& stores, ContainerId container) {
  std::vector<StoredPartition> partitions;
  std::string prefix = MetaPrefix(MetaKind::kPartition);
  PutBigEndian(&prefix, container);
  auto take = [&](std::string_view key, std::string_view value) -> Status {
    StoredPartition partition;
    LAPSE_ASSIGN_OR_RETURN(partition.facts, DecodePartition(value));
    partition.facts.id = {container, ByteReader(key).BigEndian<PartitionNumber>()};
    if (partition.facts.shard >= stores.size()) {
      return {Code::kCorruption, "a partition in the catalog is in a shard that is not there"};
    }
    partition.store = stores[partition.facts.shard];
    LAPSE_ASSIGN_OR_RETURN(partition.policy, LoadPolicy(partition.store, partition.id()));
    partitions.push_back(std::move(partition));
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(store::ScanPrefix(stores.front(), kMetaFamily, prefix, take));
  if (partitions.empty()) return Status(Code::kCorruption, "a container in the catalog lacks partitions");
  return partitions;
}

}  // namespace

Result<std::vector<StoredContainer>> LoadStoredContainers(const Stores& stores, const Derivation* derivation) {
  std::map<DatabaseId, std::string> databases;
  auto take_database = [&](std::string_view key, std::string_view value) -> Status {
    LAPSE_ASSIGN_OR_RETURN(const DatabaseRecord database, DecodeDatabase(value));
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
    LAPSE_ASSIGN_OR_RETURN(container.partitions, LoadPartitions(stores, container.id));
    containers.push_back(std::move(container));
    return Status::Ok();
  };
  LAPSE_RETURN_IF_ERROR(store::ScanPrefix(stores.front(), kMetaFamily, MetaPrefix(MetaKind::kDatabase), take_database));
  LAPSE_RETURN_IF_ERROR(
      store::ScanPrefix(stores.front(), kMetaFamily, MetaPrefix(MetaKind::kContainer), take_container));
  return containers;
}

}  // namespace lapse::engine
