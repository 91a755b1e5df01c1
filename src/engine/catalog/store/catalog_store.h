// The life of databases, containers and owned resources: creates, changes and drops them, and completes what a crash or
// a failed write left half done. Every change is one small write; ids are never reused.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/store/index_life.h"
#include "engine/catalog/view/catalog_state.h"
#include "engine/catalog/view/catalog_view.h"
#include "engine/catalog/view/database.h"
#include "engine/records/definitions/catalog_records.h"
#include "engine/records/definitions/container_definition.h"
#include "engine/records/definitions/owned_resource.h"
#include "engine/records/definitions/throughput.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/derivation.h"
#include "engine/records/index/index_key.h"
#include "engine/shard/shard.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"

namespace lapse::engine {

// A condition on the revision of the object to be changed; 0: none.
using RevisionCondition = uint64_t;

struct CatalogOptions {
  store::Durability durability = store::Durability::kSync;
  RateLimiting rate_limiting = RateLimiting::kExplicit;
  const Derivation* derivation = nullptr;  // null: no definition has rules
};

// Threads: any. May block on the disk. All that is passed by pointer must outlive it. Fails: kNotFound, kAlreadyExists,
// kPreconditionFailed, and with the store's errors. After a change with an unknown outcome it asks the store what
// counts. Until the store has answered, everything here is kUnavailable, and so are the view and the containers' items.
class CatalogStore {
 public:
  // The catalog is in the first of the shards. Changes are published in the view.
  CatalogStore(const CatalogOptions& options, std::vector<Shard*> shards, const ReaderParts& readers,
               CatalogView* view);
  CatalogStore(const CatalogStore&) = delete;
  CatalogStore& operator=(const CatalogStore&) = delete;

  // Loads what the stores hold, and completes what a crash left half done.
  Status Load();
  // Asks the store again what counts if that is in doubt, and lets partitions catch up with the policy changes that
  // they missed. Each turn of a sweeper calls it. Changes of the catalog do the first part, too.
  Status Settle();
  // Whether Settle has anything to do.
  bool is_settled() const { return !view_->in_doubt() && partitions_behind_ == 0; }

  Result<DatabasePtr> CreateDatabase(std::string_view name, Throughput throughput, std::string properties);
  // Also drops its containers and its owned resources.
  Status DropDatabase(std::string_view name);

  Result<ContainerPtr> CreateContainer(std::string_view database, ContainerDefinition definition);
  // One small write, whatever the number of items. Raises the dead floors so that no expired item reappears.
  Result<ContainerPtr> ReplaceContainer(std::string_view database, std::string_view name, ContainerChange change,
                                        RevisionCondition condition);
  Status DropContainer(std::string_view database, std::string_view name, RevisionCondition condition);

  // Notes that an index is complete in one partition. Once it is complete in all of them, it replaces the index in use,
  // which is given up. Returns whether that was done.
  bool IndexIsWhole(PartitionId partition, IndexId index);

  // Changes a throughput; partitions stay as they are and share it. The condition is on the revision of the throughput.
  // Also fails with kNotFound for a database without throughput and for a container that shares one, and with
  // kInvalidArgument for a throughput that is never allowed. A container that neither has nor shares one gets its
  // first.
  Result<DatabasePtr> SetDatabaseThroughput(std::string_view name, Throughput throughput, RevisionCondition condition);
  Result<ContainerPtr> SetContainerThroughput(std::string_view database, std::string_view name, Throughput throughput,
                                              RevisionCondition condition);

  // Resources that a database owns beside its containers. Names are unique within a place. A drop also drops what the
  // resource owns. Also fails with kForbidden when a database has as many as it may.
  Result<OwnedResourcePtr> CreateResource(const ResourcePlace& place, ResourceContent content);
  Result<OwnedResourcePtr> ReplaceResource(ResourceNumber number, ResourceContent content, RevisionCondition condition);
  Status DropResource(ResourceNumber number, RevisionCondition condition);

  // Returns the secret that is created once for a store and kept in it. Keeps the proposed one if there is none yet.
  Result<std::string> KeepSecret(std::string_view proposed);

 private:
  friend class CatalogLoader;

  Shard& ShardOf(const PartitionFacts& partition) const { return *shards_[partition.shard]; }
  Status SettleLocked();
  // Writes to the catalog's store. After an unknown outcome it asks the store what counts.
  Status Write(const store::Batch& batch) { return Write(batch, options_.durability, store::Room::kOrdinary); }
  Status Write(const store::Batch& batch, store::Durability durability, store::Room room);

  // The pool of a database that was loaded or created; its previous pool, if it had one.
  std::shared_ptr<RequestUnitPool> PoolOf(const DatabaseRecord& database) const;
  // Creates a container that has no partitions yet.
  ContainerPtr NewContainer(DatabaseId database, ContainerId id, std::shared_ptr<const ContainerState> state,
                            const Database& owner) const;
  void OpenPartition(const PartitionFacts& facts, const PartitionStart& start, Container* container) const;
  // Chooses shards for new partitions: those with the fewest partitions, and different ones within one container.
  std::vector<ShardNumber> PlacesFor(size_t partitions) const;
  Result<std::shared_ptr<ContainerState>> FirstState(ContainerDefinition definition, int64_t now_ms) const;

  // Closes the containers' gates and removes the containers: first their records in the catalog, then their contents.
  Status Remove(const std::vector<ContainerPtr>& containers, const store::Batch& from_catalog);
  void RemoveContentsOf(const Container& container);

  // Gives up indexes that no container has any more.
  void GiveUp(const Container& container, const std::vector<IndexId>& indexes) const;
  void AddIndexes(const ContainerState& state, ContainerId container) const;
  Status PutIndexInUse(const ContainerPtr& container, IndexId index);
  // Wakes the sweeper and the builder: items of the container may have expired, and an index may have to be built.
  void WakeBackground(const Container& container) const;

  // Lets partitions catch up with the policy changes that they missed.
  void CompletePolicies();
  void CompletePolicies(const Container& container);

  bool HasDatabase(DatabaseId id) const { return view_->state()->Find(id) != nullptr; }
  // Checks that no other resource in the place has the name or the unique text.
  Status CheckTexts(const ResourcePlace& place, const ResourceContent& content, ResourceNumber self) const;
  OwnedResources& resources() const { return view_->resources(); }

  const CatalogOptions options_;
  const std::vector<Shard*> shards_;
  store::Shard* const store_;  // the catalog's store
  StoreClock* const clock_;
  const ReaderParts readers_;
  CatalogView* const view_;
  std::mutex change_mutex_;                   // one change at a time
  std::atomic<size_t> partitions_behind_{0};  // approximate; written with change_mutex_ held
  WholeIndexes whole_indexes_;
};

}  // namespace lapse::engine
