// Where the engine's data lies: the one place that knows which shard holds what.
#pragma once

#include "engine/records/ids/ids.h"
#include "store/shard.h"

namespace lapse::engine {

// Today all is in one shard. The rule for many: a partition with everything of its items is in one shard, the catalog
// and the clock's mark in one; only a change of policy concerns several (docs/design/commit.md).
// Threads: any. Owns: nothing.
class Shards {
 public:
  explicit Shards(store::Shard* shard) : shard_(shard) {}

  store::Shard* catalog() const { return shard_; }
  store::Shard* Of(PartitionId /*partition*/) const { return shard_; }
  // Those that hold partitions of a container.
  store::Shard* OfContainer(ContainerId /*container*/) const { return shard_; }

 private:
  store::Shard* const shard_;
};

}  // namespace lapse::engine
