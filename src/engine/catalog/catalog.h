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
#include "engine/catalog/container.h"

namespace lapse::engine {

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

// Threads: any. Finding takes no lock that a change holds while it writes. Changes may block on the disk.
// Fails: kNotFound, kAlreadyExists, kPreconditionFailed, and what the store says. After a change whose outcome is
// unknown the store is asked what counts; until it answers everything here fails with its error, and the containers'
// items are kUnavailable.
class Catalog {
 public:
  explicit Catalog(EngineParts* parts);
  ~Catalog();

  Status Load();
  // The greatest id that any container ever had.
  ContainerId LastContainer() const;

  Result<DatabasePtr> CreateDatabase(std::string_view name, Throughput throughput, std::string properties);
  Result<DatabasePtr> FindDatabase(std::string_view name);
  std::vector<DatabasePtr> ListDatabases() const;
  // With all its containers.
  Status DropDatabase(std::string_view name);

  Result<ContainerPtr> CreateContainer(std::string_view database, ContainerDefinition definition);
  Result<ContainerPtr> FindContainer(std::string_view database, std::string_view name);
  Result<std::vector<ContainerPtr>> ListContainers(std::string_view database);
  // One small write, whatever the number of items; raises the dead floors so that nothing expired comes back.
  Result<ContainerPtr> ReplaceContainer(std::string_view database, std::string_view name, ContainerChange change,
                                        RevisionCondition condition);
  Status DropContainer(std::string_view database, std::string_view name, RevisionCondition condition);

  // Changes a throughput; partitions stay as they are and share it. The condition is on the revision of the throughput.
  // Also kNotFound for one that has none of its own, and kInvalidArgument for one that nobody can have.
  Result<DatabasePtr> SetDatabaseThroughput(std::string_view name, Throughput throughput, RevisionCondition condition);
  Result<ContainerPtr> SetContainerThroughput(std::string_view database, std::string_view name, Throughput throughput,
                                              RevisionCondition condition);

 private:
  struct State;

  std::shared_ptr<const State> state() const { return state_.load(std::memory_order_acquire); }
  void Publish(std::shared_ptr<const State> next);
  // Ok once the state is what the store holds.
  Status Settle();
  Status SettleLocked();
  Result<ContainerPtr> Known(std::string_view database, std::string_view name) const;
  Status Write(const store::Batch& batch);
  Status Write(const store::Batch& batch, store::Durability durability, store::Room room);
  Status LoadPartitions(Container* container);
  // The pool of a database that was loaded or made; the one it had before, if it had one.
  std::shared_ptr<RequestUnitPool> PoolOf(const Database& database) const;
  Status Remove(const std::vector<ContainerPtr>& containers, store::Batch batch);

  EngineParts* const parts_;
  std::mutex change_mutex_;            // one change at a time
  std::atomic<bool> in_doubt_{false};  // set and cleared with change_mutex_ held
  std::atomic<std::shared_ptr<const State>> state_;
};

}  // namespace lapse::engine
