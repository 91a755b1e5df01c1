// The engine: one shard, its catalog and its clock. What every API is built on.
#pragma once

#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "base/executor.h"
#include "base/status.h"
#include "engine/catalog/store/catalog.h"
#include "engine/records/definitions/throughput.h"
#include "engine/shard/partitions/commit_parts.h"
#include "engine/shard/sweep/sweeper.h"
#include "engine/time/store_clock.h"
#include "store/shard.h"
#include "store/slot.h"
#include "ttl/store_time.h"

namespace lapse::engine {

class Derivation;
class IndexBuilder;
class PurgeFilter;
class Reclaimer;

// That of the service.
constexpr int64_t kLogicalPartitionBytesMax = int64_t{20} << 30;

struct EngineOptions {
  store::Durability durability = store::Durability::kSync;
  ttl::StoreTimeLimits clock_limits;
  bool test_clock = false;
  bool background_clock = true;    // false: the second turns over on the caller's thread (tests)
  bool background_sweeper = true;  // false: it sweeps when it is told to (tests)
  SweeperOptions sweeper;
  RateLimiting rate_limiting = RateLimiting::kExplicit;
  size_t item_cache_bytes = 32 * 1024 * 1024;
  size_t known_lists_bytes = 4 * 1024 * 1024;  // for lists of items by value, of all partitions
  size_t known_list_items_min = 512;           // shorter ones are not kept
  size_t group_bytes_max = CommitParts{}.group_bytes_max;
  size_t dead_run_entries_min = CommitParts{}.dead_run_entries_min;
  int64_t logical_partition_bytes_max = kLogicalPartitionBytesMax;  // of documents with one partition key; 0: no limit
  // Where the clock's mark is kept; not owned, must outlive the engine. Null: in the shard, where it needs room.
  store::Slot* clock_slot = nullptr;
  const WallClock* wall = &RealWallClock();
  const SteadyClock* steady = &RealSteadyClock();
  PurgeFilter* purge_filter = nullptr;  // that of the shard's families
  // What the rules of indexing definitions mean; must outlive the engine. Null: none is known.
  const Derivation* derivation = nullptr;
};

// Threads: any. Owns: catalog, clock, caches. The shard and the executor must outlive it; commits run on the executor.
// The destructor waits for writes that were queued.
class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options, store::Shard* shard, Executor* commits);
  ~Engine();

  Catalog& catalog();
  StoreClock& clock();
  store::Shard& shard();
  Sweeper& sweeper();
  IndexBuilder& index_builder();
  Reclaimer& reclaimer();
  const EngineOptions& options() const;
  // Ok, or why writes are refused now.
  Status Writable();

 private:
  struct Parts;
  explicit Engine(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace lapse::engine
