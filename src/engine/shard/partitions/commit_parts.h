// What a partition reads and commits with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/shard/shards.h"
#include "store/shard.h"

namespace lapse {
class SteadyClock;
}

namespace lapse::engine {

class Derivation;
class ItemCache;
class KnownListsMemory;
class Leaders;
class MemberMarker;
class OpenPages;
class PurgeFilter;
class Reclaimer;
class StoreClock;
class SweepInbox;

// All must outlive the partitions.
struct CommitParts {
  Shards* shards = nullptr;
  StoreClock* clock = nullptr;
  const SteadyClock* steady = nullptr;
  ItemCache* cache = nullptr;
  KnownListsMemory* known_lists = nullptr;
  OpenPages* pages = nullptr;
  Leaders* leaders = nullptr;
  PurgeFilter* purge_filter = nullptr;
  MemberMarker* marker = nullptr;
  Reclaimer* reclaimer = nullptr;
  SweepInbox* sweep_inbox = nullptr;
  const Derivation* derivation = nullptr;  // null: no definition has rules
  store::Durability durability = store::Durability::kSync;
  // Writes share a commit until they reach this: as they come, and as the commit has them, with what goes into a change
  // log. A larger one has a commit of its own.
  size_t group_bytes_max = 8 << 20;
  int64_t logical_partition_bytes_max = 0;  // of documents with one partition key; 0: no limit
  // So many entries of dead items one after another are remembered (DeadRuns); an eighth of it next to others.
  size_t dead_run_entries_min = 128;
  bool clock_was_reset = false;  // ever
};

}  // namespace lapse::engine
