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

#include "base/status.h"
#include "engine/item.h"
#include "engine/partition_key.h"
#include "store/shard.h"
#include "ttl/policy.h"

namespace lapse::engine {

class Partition;
struct CachedItem;
struct EngineParts;

using DatabaseId = uint32_t;
using ContainerId = uint32_t;

// What the creator of a container says.
struct ContainerDefinition {
  std::string name;
  PartitionKeyDefinition partition_key;
  std::optional<int32_t> default_ttl;  // see ttl::Policy
  int throughput = 0;                  // request units a second; 0: none asked for
  // BSON, opaque to the engine: the API's own document, stored and given back as it is.
  std::string properties;
};

// What a replace may change.
struct ContainerChange {
  std::optional<int32_t> default_ttl;
  std::string properties;
};

// Everything about a container that can change, as of one moment. Immutable: a change publishes a new one.
struct ContainerState {
  ContainerDefinition definition;
  ttl::Policy policy;
  ttl::Floors dead;
  int64_t ts_s = 0;       // last change of the definition
  uint64_t revision = 1;  // counts changes; what the container's etag is made of
  enum class Standing : uint8_t {
    kInForce,
    kDropped,
    kInDoubt,  // a change failed half way and the store could not tell yet what counts
  };
  Standing standing = Standing::kInForce;

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
};

// Threads: any. Owns: its partitions.
class Container : public std::enable_shared_from_this<Container> {
 public:
  Container(DatabaseId database, ContainerId id, std::shared_ptr<const ContainerState> state, EngineParts* parts);
  ~Container();

  DatabaseId database() const { return database_; }
  ContainerId id() const { return id_; }
  // Fixed at creation.
  const PartitionKeyDefinition& partition_key() const { return partition_key_; }

  std::shared_ptr<const ContainerState> state() const { return state_.load(std::memory_order_acquire); }

  // The partition that holds an effective partition key, and all of them in order of their ranges.
  Partition& PartitionFor(std::string_view epk) const;
  const std::vector<std::unique_ptr<Partition>>& partitions() const { return partitions_; }

  // The live item, or kNotFound. May read the disk.
  Result<Item> Read(const ItemAddress& address) const;
  // Queues the write in its partition's commit order.
  void Write(ItemWrite write, ItemWriteDone done) const;
  // Live items in key order, each at most once in a chain of pages. May block.
  Result<FeedResult> ReadFeed(const FeedOptions& options, const std::function<void(const Item&)>& visit) const;

  // Items and bytes that are not deleted, counting those expired and not yet purged.
  struct Tally {
    int64_t items = 0;
    int64_t bytes = 0;
  };
  Tally StoredTally() const;

  // The next place in the container's commit order. Given out once, never taken back.
  uint64_t TakeLsn() { return last_lsn_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint64_t last_lsn() const { return last_lsn_.load(std::memory_order_relaxed); }

 private:
  friend class Catalog;
  struct View;

  void Mark(ContainerState::Standing standing);

  enum class Caching : uint8_t { kKeep, kPassing };  // a scan must not push out what is hot
  Result<Item> ReadLive(const View& view, std::string_view head_key, Caching caching) const;
  Result<std::shared_ptr<const CachedItem>> Load(const View& view, std::string_view head_key) const;
  Result<store::IterateOptions> FeedBounds(const FeedOptions& options) const;

  const DatabaseId database_;
  const ContainerId id_;
  const PartitionKeyDefinition partition_key_;
  EngineParts* const parts_;
  std::atomic<std::shared_ptr<const ContainerState>> state_;
  std::atomic<uint64_t> last_lsn_{0};
  std::vector<std::unique_ptr<Partition>> partitions_;  // filled by the catalog before anyone else sees the container
};

}  // namespace lapse::engine
