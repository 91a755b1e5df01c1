// Databases and containers: what exists, under which name, with which definition. Every change is one small write; ids
// are never reused.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/store/owned_resources.h"
#include "engine/records/definitions/owned_resource.h"
#include "engine/records/definitions/throughput.h"
#include "engine/shard/partitions/commit_parts.h"

namespace lapse::engine {

struct IdCounters;
struct PartitionTally;

// Immutable once made.
struct Database {
  DatabaseId id = 0;
  std::string name;
  int64_t ts_s = 0;
  Throughput throughput;  // shared by those of its containers that have none of their own
  ThroughputChanges throughput_changes;
  std::string properties;                 // BSON, opaque to the engine
  std::shared_ptr<RequestUnitPool> pool;  // what they share; null without throughput
};

using DatabasePtr = std::shared_ptr<const Database>;
using ContainerPtr = std::shared_ptr<Container>;

// A condition on the revision of what is changed; 0: none.
using RevisionCondition = uint64_t;

// What the catalog works with.
struct CatalogParts {
  CommitParts commit;  // for the containers
  RateLimiting rate_limiting = RateLimiting::kExplicit;
};

// Threads: any. Finding and listing take no lock and do not read the disk. Changes may block on the disk.
// Fails: kNotFound, kAlreadyExists, kPreconditionFailed, and what the store says. After a change whose outcome is
// unknown the store is asked what counts; until it has answered, everything here is kUnavailable, and so are the
// containers' items.
class Catalog {
 public:
  explicit Catalog(const CatalogParts& parts);
  ~Catalog();

  Status Load();
  // Asks the store again, when it is in doubt what counts. The sweeper does so now and then, and every change.
  Status Settle();
  // The greatest id that any container ever had.
  ContainerId LastContainer() const;

  Result<DatabasePtr> CreateDatabase(std::string_view name, Throughput throughput, std::string properties);
  Result<DatabasePtr> FindDatabase(std::string_view name);
  Result<DatabasePtr> FindDatabase(DatabaseId id);
  Result<std::vector<DatabasePtr>> ListDatabases();
  // With all its containers and all that it owns beside them.
  Status DropDatabase(std::string_view name);

  Result<ContainerPtr> CreateContainer(std::string_view database, ContainerDefinition definition);
  Result<ContainerPtr> FindContainer(std::string_view database, std::string_view name);
  Result<ContainerPtr> FindContainer(DatabaseId database, ContainerId id);
  Result<std::vector<ContainerPtr>> ListContainers(std::string_view database);
  // One small write, whatever the number of items; raises the dead floors so that nothing expired comes back.
  Result<ContainerPtr> ReplaceContainer(std::string_view database, std::string_view name, ContainerChange change,
                                        RevisionCondition condition);
  Status DropContainer(std::string_view database, std::string_view name, RevisionCondition condition);

  // Those of which an index is being made.
  std::vector<ContainerPtr> ContainersWithIndexInMaking() const;
  // The index in the making is whole: it takes the place of the other one, which is given up. Nothing happens when it
  // is not in the making any more.
  Status PutIndexInUse(const ContainerPtr& container, IndexId index);

  // Changes a throughput; partitions stay as they are and share it. The condition is on the revision of the throughput.
  // Also kNotFound for a database that has none and for a container that shares one, and kInvalidArgument for one that
  // nobody can have. A container that has none and shares none gets its first.
  Result<DatabasePtr> SetDatabaseThroughput(std::string_view name, Throughput throughput, RevisionCondition condition);
  Result<ContainerPtr> SetContainerThroughput(std::string_view database, std::string_view name, Throughput throughput,
                                              RevisionCondition condition);

  // What a database owns beside its containers. Finding and listing take a shared lock and do not read the disk.
  // Names are given once in a place. A drop takes what the resource owns with it. Also kForbidden when a database has
  // as many as it may.
  Result<OwnedResourcePtr> CreateResource(const ResourcePlace& place, ResourceContent content);
  Result<OwnedResourcePtr> ReplaceResource(ResourceNumber number, ResourceContent content, RevisionCondition condition);
  Status DropResource(ResourceNumber number, RevisionCondition condition);
  Result<OwnedResourcePtr> FindResource(ResourceNumber number);
  Result<OwnedResourcePtr> FindResource(const ResourcePlace& place, std::string_view name);
  // By name, from behind `after` on.
  Result<std::vector<OwnedResourcePtr>> ListResources(const ResourcePlace& place, std::string_view after,
                                                      size_t count_max);

  // A secret that is made once for a store and kept in it: the proposed one, if there is none yet.
  Result<std::string> KeepSecret(std::string_view proposed);

 private:
  struct State;

  std::shared_ptr<const State> state() const { return state_.load(std::memory_order_acquire); }
  void Publish(std::shared_ptr<State> next);
  Status CheckCertain() const;
  Status SettleLocked();
  Result<ContainerPtr> Known(std::string_view database, std::string_view name) const;
  Status Write(const store::Batch& batch);
  Status Write(const store::Batch& batch, store::Durability durability, store::Room room);
  Status LoadPartitions(Container* container);
  // Takes away what is left of containers that the catalog no longer has.
  Status RemoveOrphans(const State& loaded);
  std::unique_ptr<Partition> MakePartition(Container* container, PartitionNumber number, EpkRange range,
                                           const PartitionTally& tally, const ttl::Floors& released_bodies) const;
  // The pool of a database that was loaded or made; the one it had before, if it had one.
  std::shared_ptr<RequestUnitPool> PoolOf(const Database& database) const;
  Status Remove(const std::vector<ContainerPtr>& containers, const store::Batch& from_catalog);
  bool HasDatabase(DatabaseId id) const;
  // Makes the indexes of a state what its definition asks for, and names those that are given up. `is_empty`: there was
  // never an item.
  void ChangeIndexes(ContainerId container, bool is_empty, ContainerState* state, IdCounters* ids,
                     std::vector<IndexId>* given_up) const;
  void GiveUp(const std::vector<IndexId>& indexes) const;
  // That nobody else in the place has the name or the unique text.
  Status CheckTexts(const ResourcePlace& place, const ResourceContent& content, ResourceNumber self) const;

  const CatalogParts parts_;
  store::Shard* const shard_;
  std::mutex change_mutex_;            // one change at a time
  std::atomic<bool> in_doubt_{false};  // set and cleared with change_mutex_ held
  std::atomic<std::shared_ptr<const State>> state_;
  OwnedResources resources_;
};

}  // namespace lapse::engine
