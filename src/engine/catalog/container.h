// A container: its definition, its TTL policy, and the partitions that hold its items.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "base/status.h"
#include "engine/changes/change_feed.h"
#include "engine/items/item.h"
#include "engine/partition_key/partition_key.h"
#include "engine/request_units/indexed_paths.h"
#include "engine/request_units/throughput.h"
#include "store/shard.h"
#include "ttl/policy.h"
#include "ttl/policy_history.h"

namespace lapse::engine {

class Census;
class Partition;
class RequestUnitPool;
struct LoggedChange;
struct CachedItem;
struct EngineParts;

using DatabaseId = uint32_t;
using ContainerId = uint32_t;

// What the creator of a container says.
struct ContainerDefinition {
  std::string name;
  PartitionKeyDefinition partition_key;
  std::optional<int32_t> default_ttl;  // see ttl::Policy
  Throughput throughput;               // its own; none: the database's, if that has one
  int64_t change_log_retention_s = 0;  // how long every change is kept; 0: no log
  // BSON: the API's own document, stored and given back as it is. The engine looks at its indexing policy alone.
  std::string properties;
};

// What a replace may change.
struct ContainerChange {
  std::optional<int32_t> default_ttl;
  std::string properties;
  int64_t change_log_retention_s = 0;
};

// Everything about a container that can change, as of one moment. Immutable: a change publishes a new one.
struct ContainerState {
  ContainerDefinition definition;
  std::shared_ptr<const IndexedPaths> indexed;  // by the definition
  ttl::Policy policy;
  ttl::Floors dead;
  ttl::PolicyHistory history;  // of the policy
  uint64_t log_since_lsn = 0;  // where the change log begins: changes up to here were not logged
  int64_t ts_s = 0;            // last change of the definition
  uint64_t revision = 1;       // counts changes; what the container's etag is made of
  ThroughputChanges throughput_changes;
  enum class Standing : uint8_t {
    kInForce,
    kDropped,
    kInDoubt,  // a change failed half way and the store could not tell yet what counts
  };
  Standing standing = Standing::kInForce;

  // When a record that is dead at now_ms became invisible.
  int64_t DiedAtMs(const ttl::Lifetime& lifetime, int64_t now_ms) const;
  // Ok, or why nothing can be said about the container's items.
  Status Check() const;
};

struct FeedOptions {
  EpkRange range = WholeEpkSpace();      // only items with an epk in it
  std::optional<std::string> exact_epk;  // only items of this one logical partition (range is then ignored)
  std::string after;                     // position from an earlier page; empty: from the start
  int items_max = 100;
  size_t bytes_max = 4 * 1024 * 1024;  // of documents; one item is always returned
};

struct FeedResult {
  // Empty when there is nothing more; otherwise where the next page starts. Opaque bytes.
  std::string resume_after;
  bool cut_short = false;  // it ended early because of expired records
};

// What users did to a container since the start.
struct ContainerUsage {
  Counter milli_ru;   // spent
  Counter throttled;  // requests
};

// Threads: any. Owns: its partitions.
class Container : public std::enable_shared_from_this<Container> {
 public:
  // `shared_pool`: what its partitions live on together with other containers; null: each has its own budget.
  Container(DatabaseId database, ContainerId id, std::shared_ptr<const ContainerState> state, EngineParts* parts,
            std::shared_ptr<RequestUnitPool> shared_pool = nullptr);
  ~Container();

  DatabaseId database() const { return database_; }
  ContainerId id() const { return id_; }
  // Fixed at creation.
  const PartitionKeyDefinition& partition_key() const { return partition_key_; }

  std::shared_ptr<const ContainerState> state() const { return state_.load(std::memory_order_acquire); }

  // The partition that holds an effective partition key, and all of them in order of their ranges.
  Partition& PartitionFor(std::string_view epk) const;
  const std::vector<std::unique_ptr<Partition>>& partitions() const { return partitions_; }
  // The partition that holds a position of a feed.
  Partition& PartitionAt(std::string_view position) const;

  const std::shared_ptr<RequestUnitPool>& shared_pool() const { return shared_pool_; }
  ContainerUsage& usage() { return usage_; }

  // The live item, or kNotFound. May read the disk.
  Result<Item> Read(const ItemAddress& address) const;
  // Queues the write in its partition's commit order.
  void Write(ItemWrite write, ItemWriteDone done) const;
  // Live items in key order, each at most once in a chain of pages. May block.
  Result<FeedResult> ReadFeed(const FeedOptions& options, const std::function<void(const Item&)>& visit) const;

  // Live items of one partition in the order of their last write. A chain of pages shows every change at least in its
  // latest version, none twice, and leaves none out. May block. Fails: kInvalidArgument for a stream or a position that
  // the container does not have.
  Result<ChangesPage> ReadChanges(const ChangesOptions& options, const std::function<void(const Item&)>& visit) const;

  // Every change of one partition in commit order, as far back as the container keeps them. `since_s` is not looked at.
  // Fails: kUnsupported when it keeps none; kInvalidArgument also for a position before the first that is kept.
  Result<ChangesPage> ReadLog(const ChangesOptions& options,
                              const std::function<void(const LoggedChange&)>& visit) const;

  // Counts of items as of now.
  Census TakeCensus() const;

  // The next place in the container's commit order. Given out once, never taken back.
  uint64_t TakeLsn() { return last_lsn_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint64_t last_lsn() const { return last_lsn_.load(std::memory_order_relaxed); }

 private:
  friend class Catalog;
  struct View;

  void Mark(ContainerState::Standing standing);
  const Partition* PartitionOf(uint32_t stream) const;
  Result<uint64_t> LsnBefore(int64_t since_s, const Partition& partition) const;
  Result<ChangesPage> WalkLog(const ChangesOptions& options, const store::Snapshot& snapshot, uint64_t last_lsn,
                              const std::function<void(const LoggedChange&)>& visit) const;
  // Gives each partition its share of the container's own throughput.
  void ShareThroughput();

  enum class Caching : uint8_t { kKeep, kPassing };  // a scan must not push out what is hot
  Result<Item> ReadLive(View& view, std::string_view head_key, Caching caching) const;
  Result<std::shared_ptr<const CachedItem>> Load(View& view, std::string_view head_key) const;
  Result<store::IterateOptions> FeedBounds(const FeedOptions& options) const;

  const DatabaseId database_;
  const ContainerId id_;
  const PartitionKeyDefinition partition_key_;
  EngineParts* const parts_;
  const std::shared_ptr<RequestUnitPool> shared_pool_;
  ContainerUsage usage_;
  std::atomic<std::shared_ptr<const ContainerState>> state_;
  std::atomic<uint64_t> last_lsn_{0};
  std::vector<std::unique_ptr<Partition>> partitions_;  // filled by the catalog before anyone else sees the container
};

}  // namespace lapse::engine
