// The engine, which every API is built on: its shards, the catalog, the clock and the memory that all of them share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/executor.h"
#include "base/status.h"
#include "engine/catalog/containers/container.h"
#include "engine/catalog/store/catalog_store.h"
#include "engine/catalog/view/catalog_view.h"
#include "engine/shard/shard.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"
#include "store/slot.h"
#include "ttl/store_time.h"

namespace lapse::engine {

// The limit of the cloud service.
constexpr int64_t kLogicalPartitionBytesMax = int64_t{20} << 30;

struct EngineOptions {
  store::Durability durability = store::Durability::kSync;
  ttl::StoreTimeLimits clock_limits;
  bool test_clock = false;
  bool background_clock = true;    // false: the second turns over on the caller's thread (tests)
  bool background_sweeper = true;  // false: sweeps only on request (tests)
  SweeperOptions sweeper;          // its share is for all shards together
  RateLimiting rate_limiting = RateLimiting::kExplicit;
  size_t item_cache_bytes = 32 * 1024 * 1024;
  size_t known_lists_bytes = 4 * 1024 * 1024;  // for lists of items by value, of all partitions
  size_t known_list_items_min = 512;           // shorter ones are not kept
  size_t group_bytes_max = CommitOptions{}.group_bytes_max;
  size_t dead_run_entries_min = ReaderParts{}.dead_run_entries_min;
  int64_t logical_partition_bytes_max = kLogicalPartitionBytesMax;  // of documents with one partition key; 0: no limit
  // Where the clock's mark is kept; not owned, must outlive the engine. Null: in the first store, where it needs room.
  store::Slot* clock_slot = nullptr;
  const WallClock* wall = &RealWallClock();
  const SteadyClock* steady = &RealSteadyClock();
  // The meaning of the rules in indexing definitions; must outlive the engine. Null: no rule is known.
  const Derivation* derivation = nullptr;
};

// A store that the engine keeps partitions in, and the filter that its families were opened with; null: none. Both must
// outlive the engine.
struct StoreOfShard {
  store::Shard* store = nullptr;
  PurgeFilter* filter = nullptr;
};

// Threads: any. Owns: shards, catalog, clock, caches. The executor must outlive it; commits run there. The destructor
// waits for queued writes.
class Engine {
 public:
  // The first store holds the catalog, and also the clock's mark if the clock has no slot.
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options, const std::vector<StoreOfShard>& stores,
                                              Executor* commits);
  ~Engine();

  CatalogView& catalog();
  CatalogStore& catalog_store();
  StoreClock& clock();
  const std::vector<std::unique_ptr<Shard>>& shards() const;
  const EngineOptions& options() const;
  // Ok, or the reason why writes are refused now.
  Status Writable();

  // Each runs one turn of background work in every shard, and returns whether anything was done.
  bool SweepTurn();
  bool BuildTurn();
  bool ReclaimTurn();
  // See Reclaimer::RunQuietTurn.
  bool QuietReclaimTurn();

 private:
  struct Parts;
  explicit Engine(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace lapse::engine
