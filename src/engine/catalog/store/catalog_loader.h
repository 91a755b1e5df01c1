// Reads the catalog from the stores, at a start and when the outcome of a change is in doubt.
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

// Containers that are known already stay the same objects. Threads: one; no change of the catalog runs meanwhile.
class CatalogLoader {
 public:
  explicit CatalogLoader(CatalogStore* catalog) : catalog_(catalog) {}

  // Reads everything, completes what a crash left half done, and publishes it.
  Status Run();

 private:
  Status LoadIdCounters();
  Status TakeDatabase(std::string_view id, std::string_view bytes);
  Status TakePartition(std::string_view id, std::string_view bytes);
  Status TakeContainer(std::string_view id_bytes, std::string_view bytes);
  // Publishes the stored state of a known container, if it has changed.
  void Renew(const ContainerPtr& container, const std::shared_ptr<const ContainerState>& stored);
  Status OpenPartitions(const ContainerPtr& container);
  Result<PartitionStart> StartOf(const PartitionFacts& facts, const ContainerState& state);
  // Removes what is left of containers and partitions that the catalog does not name.
  Status RemoveOrphans();
  Status RemoveOrphansOf(Shard* shard);

  CatalogStore* const catalog_;
  CatalogState loaded_;
  std::map<DatabaseId, DatabasePtr> databases_;
  std::map<ContainerId, ContainerPtr> known_;  // containers known before and not found in the store yet
  std::map<PartitionId, PartitionFacts> partitions_;
  std::set<ContainerId> containers_;
};

}  // namespace lapse::engine
