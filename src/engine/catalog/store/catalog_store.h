// The life of databases, containers and what databases own beside them: creates, changes and drops them, and makes up
// for what a crash or a failed write left half done. Every change is one small write; ids are never reused.
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

// A condition on the revision of what is changed; 0: none.
using RevisionCondition = uint64_t;

struct CatalogOptions {
  store::Durability durability = store::Durability::kSync;
  RateLimiting rate_limiting = RateLimiting::kExplicit;
  const Derivation* derivation = nullptr;  // null: no definition has rules
};

// Threads: any. May block on the disk. What is given by pointer must outlive it.
// Fails: kNotFound, kAlreadyExists, kPreconditionFailed, and what the store says. After a change whose outcome is
// unknown the store is asked what counts; until it has answered, everything here is kUnavailable, and so are the view
// and the containers' items.
class CatalogStore {
 public:
  // The catalog is in the first of the shards. It publishes in the view.
  CatalogStore(const CatalogOptions& options, std::vector<Shard*> shards, const ReaderParts& readers,
               CatalogView* view);
  CatalogStore(const CatalogStore&) = delete;
  CatalogStore& operator=(const CatalogStore&) = delete;

  // What the stores hold. Completes what a crash left half done.
  Status Load();
  // Asks the store again what counts where that is in doubt, and has partitions pass the changes of the policy that
  // they missed. Each turn of a sweeper calls it. Changes of the catalog do the first part, too.
  Status Settle();
  // Whether Settle has anything to do.
  bool is_settled() const { return !view_->in_doubt() && partitions_behind_ == 0; }

  Result<DatabasePtr> CreateDatabase(std::string_view name, Throughput throughput, std::string properties);
  // With all its containers and all that it owns beside them.
  Status DropDatabase(std::string_view name);

  Result<ContainerPtr> CreateContainer(std::string_view database, ContainerDefinition definition);
  // One small write, whatever the number of items; raises the dead floors so that nothing expired comes back.
  Result<ContainerPtr> ReplaceContainer(std::string_view database, std::string_view name, ContainerChange change,
                                        RevisionCondition condition);
  Status DropContainer(std::string_view database, std::string_view name, RevisionCondition condition);

  // An index is whole in one partition. Once it is whole in all of them, it takes the place of the one in use, which is
  // given up. Returns whether that was done.
  bool IndexIsWhole(PartitionId partition, IndexId index);

  // Changes a throughput; partitions stay as they are and share it. The condition is on the revision of the throughput.
  // Also kNotFound for a database that has none and for a container that shares one, and kInvalidArgument for one that
  // nobody can have. A container that has none and shares none gets its first.
  Result<DatabasePtr> SetDatabaseThroughput(std::string_view name, Throughput throughput, RevisionCondition condition);
  Result<ContainerPtr> SetContainerThroughput(std::string_view database, std::string_view name, Throughput throughput,
                                              RevisionCondition condition);

  // What a database owns beside its containers. Names are given once in a place. A drop takes what the resource owns
  // with it. Also kForbidden when a database has as many as it may.
  Result<OwnedResourcePtr> CreateResource(const ResourcePlace& place, ResourceContent content);
  Result<OwnedResourcePtr> ReplaceResource(ResourceNumber number, ResourceContent content, RevisionCondition condition);
  Status DropResource(ResourceNumber number, RevisionCondition condition);

  // A secret that is made once for a store and kept in it: the proposed one, if there is none yet.
  Result<std::string> KeepSecret(std::string_view proposed);

 private:
  friend class CatalogLoader;

  Shard& ShardOf(const PartitionFacts& partition) const { return *shards_[partition.shard]; }
  Status SettleLocked();
  // Writes in the catalog's store. After an unknown outcome it asks the store what counts.
  Status Write(const store::Batch& batch) { return Write(batch, options_.durability, store::Room::kOrdinary); }
  Status Write(const store::Batch& batch, store::Durability durability, store::Room room);

  // The pool of a database that was loaded or made; the one it had before, if it had one.
  std::shared_ptr<RequestUnitPool> PoolOf(const DatabaseRecord& database) const;
  // A container without partitions yet.
  ContainerPtr NewContainer(DatabaseId database, ContainerId id, std::shared_ptr<const ContainerState> state,
                            const Database& owner) const;
  void OpenPartition(const PartitionFacts& facts, const PartitionStart& start, Container* container) const;
  // Where new partitions go: to the shards with the fewest, those of one container to different ones.
  std::vector<ShardNumber> PlacesFor(size_t partitions) const;
  Result<std::shared_ptr<ContainerState>> FirstState(ContainerDefinition definition, int64_t now_ms) const;

  // Closes the containers' gates and removes them: their records from the catalog, then what they hold.
  Status Remove(const std::vector<ContainerPtr>& containers, const store::Batch& from_catalog);
  void RemoveContentsOf(const Container& container);

  // Ends the use of indexes that no container has any more.
  void GiveUp(const Container& container, const std::vector<IndexId>& indexes) const;
  void AddIndexes(const ContainerState& state, ContainerId container) const;
  Status PutIndexInUse(const ContainerPtr& container, IndexId index);
  // What a container's partitions hold may have become due, and an index may have to be built.
  void WakeBackground(const Container& container) const;

  // Makes up for the policy changes that partitions missed.
  void CompletePolicies();
  void CompletePolicies(const Container& container);

  bool HasDatabase(DatabaseId id) const { return view_->state()->Find(id) != nullptr; }
  // That nobody else in the place has the name or the unique text.
  Status CheckTexts(const ResourcePlace& place, const ResourceContent& content, ResourceNumber self) const;
  OwnedResources& resources() const { return view_->resources(); }

  const CatalogOptions options_;
  const std::vector<Shard*> shards_;
  store::Shard* const store_;  // of the catalog
  StoreClock* const clock_;
  const ReaderParts readers_;
  CatalogView* const view_;
  std::mutex change_mutex_;                   // one change at a time
  std::atomic<size_t> partitions_behind_{0};  // about so many; written with change_mutex_ held
  WholeIndexes whole_indexes_;
};

}  // namespace lapse::engine
