// A container as requests use it: its definition and its partitions, whichever stores these are in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "engine/catalog/throughput/container_budgets.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/catalog/throughput/request_unit_pool.h"
#include "engine/memory/item_cache.h"
#include "engine/partition/changes/change_feed.h"
#include "engine/partition/commit/write_group.h"
#include "engine/partition/reads/item_feed.h"
#include "engine/partition/reads/point_read.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/definitions/throughput.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"
#include "engine/records/items/item_write.h"
#include "engine/records/partition_key/partition_key.h"
#include "engine/shard/partitions/container_context.h"
#include "engine/shard/partitions/moments.h"
#include "engine/shard/partitions/partition.h"
#include "engine/time/store_clock.h"

namespace lapse::engine {

class IndexPage;

// The parts of the engine that reads of a container use. All must outlive it.
struct ReaderParts {
  StoreClock* clock = nullptr;
  const SteadyClock* steady = nullptr;
  ItemCache* cache = nullptr;
  bool clock_was_reset = false;  // at any time in the past
  // A run of at least this many entries of dead items is remembered (DeadRuns); an eighth suffices next to a known run.
  size_t dead_run_entries_min = 128;
};

// One of many writes that are queued together, with its own meter, which must live until `done` is called.
struct MeteredWrite {
  ItemWrite write;
  ItemWriteDone done;
  RequestMeter* meter = nullptr;  // null: not charged
};

// Threads: any. Owns: its partitions.
class Container : public std::enable_shared_from_this<Container> {
 public:
  // Partitions must be added before other threads see the container. `shared_pool`: the request units that its
  // partitions share with other containers; null: each partition has its own budget.
  Container(DatabaseId database, std::shared_ptr<ContainerContext> context, const ReaderParts& parts,
            std::shared_ptr<RequestUnitPool> shared_pool);
  ~Container();
  // In the order of their ranges.
  void AddPartition(std::shared_ptr<Partition> partition, std::shared_ptr<Budget> budget);

  DatabaseId database() const { return database_; }
  ContainerId id() const { return context_->id(); }
  // Fixed at creation.
  const PartitionKeyDefinition& partition_key() const { return partition_key_; }

  std::shared_ptr<const ContainerState> state() const { return context_->state(); }
  ContainerContext& context() const { return *context_; }
  const std::shared_ptr<ContainerContext>& shared_context() const { return context_; }
  const ReaderParts& reader_parts() const { return parts_; }

  // The partition that holds an effective partition key, its index among all, and all of them in order of their ranges.
  Partition& PartitionFor(std::string_view epk) const { return *partitions_[PlaceOf(epk)]; }
  size_t PlaceOf(std::string_view epk) const;
  const Partitions& partitions() const { return partitions_; }
  // Returns null if no partition has this number.
  const Partition* FindPartition(PartitionNumber number) const;

  const std::shared_ptr<RequestUnitPool>& shared_pool() const { return shared_pool_; }
  // The budget of the partition with this index.
  Budget& budget(size_t partition) const { return *budgets_->by_partition[partition]; }
  ContainerUsage& usage() const { return budgets_->usage; }
  // Gives each partition its share of the container's own throughput.
  void ShareThroughput(RateLimiting limiting);
  // Asks the meter to admit a request that begins with the partition of this index. Fails: kThrottled. A null meter
  // admits every request.
  Status Admit(RequestMeter* meter, size_t partition, int64_t ahead_milli_ru = 0) const;
  Status Admit(RequestMeter* meter, const Partition& partition) const {
    return Admit(meter, PlaceOf(partition.range().min));
  }

  // Each operation below asks the meter for admission first and charges it. With a null meter it is free.

  // Returns the live item. Fails: kNotFound; kWouldBlock with Reach::kMemory if the read would wait for a disk, so that
  // the caller retries where blocking is allowed.
  Result<Item> Read(const ItemAddress& address, const ReadItemOptions& options = {},
                    RequestMeter* meter = nullptr) const;
  // Reads by number. Also fails with kNotFound if the item has another key.
  Result<Item> Read(const NumberedItem& numbered, const ReadItemOptions& options = {},
                    RequestMeter* meter = nullptr) const;
  // Returns the typed id of the live item with this number, for a write to it. Such a write also names the number as
  // the only one that it may change (ItemWrite::only). Charges nothing if the item exists, since the write will.
  Result<std::string> FindId(const NumberedItem& numbered, store::Reach reach, RequestMeter* meter = nullptr) const;
  // Queues the write in its partition's commit order. The meter must live until `done` is called.
  void Write(ItemWrite write, ItemWriteDone done, RequestMeter* meter = nullptr) const;
  // Queues operations that succeed or fail together. All must be of one logical partition.
  void WriteAtomically(std::vector<ItemWrite> operations, AtomicWriteDone done, RequestMeter* meter = nullptr,
                       std::shared_ptr<AtomicRules> rules = nullptr) const;
  // Queues many independent writes of one partition at once and in order, so that they share commits. Each asks and
  // charges its own meter. Admission counts the writes admitted before it at the lowest price that they can have.
  void WriteEach(std::vector<MeteredWrite> writes) const;
  // Deletes all items of a logical partition, in its partition's commit order, at the price of one delete. Answers with
  // LSNs and price only. Also fails with kThrottled while records of too many such deletions remain.
  void EraseKey(LogicalKey key, ItemWriteDone done, RequestMeter* meter = nullptr) const;
  // A page of live items. May block. See ItemFeed. Fails: kInvalidArgument for a position outside the scope.
  Result<FeedPage> ReadFeed(const FeedOptions& options, const TakeItem& take, RequestMeter* meter = nullptr) const;
  // A page of the change feed of one partition. May block. See ChangeFeed. Fails: kInvalidArgument for a partition that
  // the container does not have.
  Result<ChangesPage> ReadChanges(const ChangesOptions& options, const TakeItem& take,
                                  RequestMeter* meter = nullptr) const;
  Result<ChangesPage> ReadLog(const ChangesOptions& options, const TakeChange& take,
                              RequestMeter* meter = nullptr) const;

  // Opens the view that a page of a query reads. May block.
  Result<std::unique_ptr<IndexPage>> OpenIndexPage() const;
  // Returns how much of the index being built exists, in percent; 100 if none is being built. May block.
  Result<int> IndexProgress() const;

 private:
  // The moment of a point read. Fails: kWouldBlock with Reach::kMemory.
  Result<ReadMoment> TakeMoment(const Partition& partition, store::Reach reach) const;
  template <typename Answer, typename ReadIt>
  Result<Answer> ReadAt(const LogicalKey& key, store::Reach reach, RequestMeter* meter, const ReadIt& read) const;
  Result<ChangesPage> MeteredChanges(const ChangesOptions& options, RequestMeter* meter,
                                     const std::function<Result<ChangesPage>(ChangeFeed* feed)>& read) const;

  const DatabaseId database_;
  const std::shared_ptr<ContainerContext> context_;
  const PartitionKeyDefinition partition_key_;
  const ReaderParts parts_;
  const std::shared_ptr<RequestUnitPool> shared_pool_;
  const std::shared_ptr<ContainerBudgets> budgets_ = std::make_shared<ContainerBudgets>();
  Partitions partitions_;
};

using ContainerPtr = std::shared_ptr<Container>;

}  // namespace lapse::engine
