// A container: its definition, its TTL policy, and the partitions that hold its items.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "base/status.h"
#include "engine/partition/changes/change_feed.h"
#include "engine/partition/reads/item_feed.h"
#include "engine/partition/reads/point_read.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"
#include "engine/records/items/item_write.h"
#include "engine/records/partition_key/partition_key.h"
#include "engine/shard/partitions/commit_gate.h"
#include "engine/shard/partitions/commit_parts.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"

namespace lapse::engine {

class Census;
class IndexPage;
class Meter;
class Partition;
struct PendingWrite;
class RequestUnitPool;

// What users did to a container since the start.
struct ContainerUsage {
  Counter milli_ru;   // spent
  Counter throttled;  // requests
};

// Threads: any. Owns: its partitions.
class Container : public std::enable_shared_from_this<Container> {
 public:
  // `shared_pool`: what its partitions live on together with other containers; null: each has its own budget.
  Container(DatabaseId database, ContainerId id, std::shared_ptr<const ContainerState> state, const CommitParts& parts,
            std::shared_ptr<RequestUnitPool> shared_pool = nullptr);
  ~Container();

  DatabaseId database() const { return database_; }
  ContainerId id() const { return id_; }
  // Fixed at creation.
  const PartitionKeyDefinition& partition_key() const { return partition_key_; }

  std::shared_ptr<const ContainerState> state() const { return state_.load(std::memory_order_acquire); }
  // Time stands still for readers of all partitions while the policy changes.
  const SecondHold& second_hold() const { return second_hold_; }
  CommitGate& commit_gate() { return commit_gate_; }

  // The partition that holds an effective partition key, and all of them in order of their ranges.
  Partition& PartitionFor(std::string_view epk) const;
  const std::vector<std::unique_ptr<Partition>>& partitions() const { return partitions_; }
  // Null when there is none with this number.
  const Partition* FindPartition(PartitionNumber number) const;

  const std::shared_ptr<RequestUnitPool>& shared_pool() const { return shared_pool_; }
  ContainerUsage& usage() const { return usage_; }

  // Each operation below asks the meter first, which may answer kThrottled, and charges it. Null: it is free.

  // The live item, or kNotFound. With Reach::kMemory it never waits for a disk; kWouldBlock then asks for another try
  // where that is allowed.
  Result<Item> Read(const ItemAddress& address, const ReadItemOptions& options = {}, Meter* meter = nullptr) const;
  // The same by number. kNotFound also when the item has another key.
  Result<Item> Read(const NumberedItem& numbered, const ReadItemOptions& options = {}, Meter* meter = nullptr) const;
  // The typed id of the live item with this number, for a write to it: such a write also says that it is meant for this
  // number only (ItemWrite::only). Charges nothing when there is one, since the write will.
  Result<std::string> FindId(const NumberedItem& numbered, store::Reach reach, Meter* meter = nullptr) const;
  // Queues the write in its partition's commit order. The meter must live until `done` is called.
  void Write(ItemWrite write, ItemWriteDone done, Meter* meter = nullptr) const;
  // The same for operations that stand or fall together. All are of one logical partition.
  void WriteAtomically(std::vector<ItemWrite> operations, AtomicWriteDone done, Meter* meter = nullptr,
                       std::shared_ptr<AtomicRules> rules = nullptr) const;
  // Many writes of one partition, each for itself. All are queued at once and in order, so that they share commits.
  // Each asks and charges its own meter; those that were let in before it count, at the least that they can cost.
  void WriteEach(std::vector<MeteredWrite> writes) const;
  // Deletes all items of a logical partition, in its partition's commit order, at the price of one delete. Answers with
  // LSNs and price alone. Also fails: kThrottled when the records of too many such deletions are still there.
  void EraseKey(LogicalKey key, ItemWriteDone done, Meter* meter = nullptr) const;
  // A page of live items. May block. See ItemFeed.
  Result<FeedPage> ReadFeed(const FeedOptions& options, const TakeItem& take, Meter* meter = nullptr) const;
  // A page of the change feed of one partition. May block. See ChangeFeed.
  Result<ChangesPage> ReadChanges(const ChangesOptions& options, const TakeItem& take, Meter* meter = nullptr) const;
  Result<ChangesPage> ReadLog(const ChangesOptions& options, const TakeChange& take, Meter* meter = nullptr) const;

  // What a page of a query reads. May block.
  Result<std::unique_ptr<IndexPage>> OpenIndexPage() const;
  // How much of the index in the making is there; 100 where none is being made. May block.
  Result<int> IndexProgress() const;

  // Counts of items as of now, in the partitions that the scope touches. May block.
  Census TakeCensus(const KeyScope& scope = {}) const;

 private:
  friend class Catalog;

  void Mark(ContainerState::Standing standing);
  Result<ChangesPage> MeteredChanges(const ChangesOptions& options, Meter* meter,
                                     const std::function<Result<ChangesPage>()>& read) const;
  Status Admit(Meter* meter, const Partition& partition) const;
  void ChargeRead(Meter* meter, const Result<Item>& item) const;
  // Gives each partition its share of the container's own throughput.
  void ShareThroughput(RateLimiting limiting);

  const DatabaseId database_;
  const ContainerId id_;
  const PartitionKeyDefinition partition_key_;
  const CommitParts parts_;
  const std::shared_ptr<RequestUnitPool> shared_pool_;
  mutable ContainerUsage usage_;
  SecondHold second_hold_;
  CommitGate commit_gate_;
  std::atomic<std::shared_ptr<const ContainerState>> state_;
  std::vector<std::unique_ptr<Partition>> partitions_;  // filled by the catalog before anyone else sees the container
};

}  // namespace lapse::engine
