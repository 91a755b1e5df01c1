// Reads the catalog from the stores, at a start and when it is in doubt what counts.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/catalog/store/catalog_store.h"
#include "engine/catalog/view/catalog_state.h"
#include "engine/records/definitions/catalog_records.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_facts.h"

namespace lapse::engine {

// Containers that are known already stay the same objects. Threads: one; changes of the catalog wait meanwhile.
class CatalogLoader {
 public:
  explicit CatalogLoader(CatalogStore* catalog) : catalog_(catalog) {}

  // Reads all, completes what a crash left half done, and publishes it.
  Status Run();

 private:
  Status LoadIdCounters();
  Status TakeDatabase(std::string_view id, std::string_view bytes);
  Status TakePartition(std::string_view id, std::string_view bytes);
  Status TakeContainer(std::string_view id_bytes, std::string_view bytes);
  // A container that is known: its state may be another one by now.
  void Renew(const ContainerPtr& container, const std::shared_ptr<const ContainerState>& stored);
  Status OpenPartitions(const ContainerPtr& container);
  Result<PartitionStart> StartOf(const PartitionFacts& facts, const ContainerState& state);
  // Takes away what is left of containers, and of partitions, that the catalog does not have.
  Status RemoveOrphans();
  Status RemoveOrphansOf(Shard* shard);

  CatalogStore* const catalog_;
  CatalogState loaded_;
  std::map<DatabaseId, DatabasePtr> databases_;
  std::map<ContainerId, ContainerPtr> known_;  // before, and not met yet
  std::map<PartitionId, PartitionFacts> partitions_;
  std::set<ContainerId> containers_;
};

}  // namespace lapse::engine
