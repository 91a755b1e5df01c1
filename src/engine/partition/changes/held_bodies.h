// Bodies and queue entries of purged items that the change log still shows (docs/design/expiry.md).
//
// An expiry in the log refers to the body of its item. So what a sweep purged is released to compaction only once the
// log is trimmed up to the end of that sweep.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "store/shard.h"
#include "ttl/floors.h"

namespace lapse::engine {

class Transaction;

// The bodies and queue entries of a partition that compaction may drop.
struct ReleasedBodies {
  ttl::Floors floors;
  // All bodies of inheriting items with a lower sequence are under the floors. 0: unknown.
  Sequence below = 0;
};

// Each partition has one, stored while something is held. Threads: none of its own.
class HeldBodies {
 public:
  // Starts with nothing held: everything purged so far is released.
  explicit HeldBodies(ttl::Floors purged) : released_{std::move(purged), 0} {}

  // Loads it as the transaction sees it. Returns nullopt if nothing is held: everything purged is released.
  static Result<std::optional<HeldBodies>> Load(Transaction* transaction);
  // Loads, from the store, what a partition has released, given what it has purged.
  static Result<ttl::Floors> LoadReleased(store::Shard* shard, PartitionId partition, const ttl::Floors& purged);

  // Loads, as a page sees it, what was purged last, released or not. Empty if nothing is held.
  static Result<ReleasedBodies> LoadPurged(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition);

  // Holds everything purged so far until the log is trimmed up to this change.
  void HoldUntil(Sequence change, ReleasedBodies purged);
  // Releases what was held until the log is trimmed up to `log_floor`. Returns false if nothing is held any more.
  bool Release(Sequence log_floor);
  const ReleasedBodies& released() const { return released_; }

  void Store(Transaction* transaction) const;
  static void Remove(Transaction* transaction);

 private:
  struct Held {
    Sequence until = 0;
    ReleasedBodies then;
  };

  HeldBodies() = default;
  std::string Encode() const;
  static Result<HeldBodies> Decode(std::string_view bytes);
  static Result<std::optional<HeldBodies>> DecodeFound(const Status& found, const store::PinnedValue& value);

  ReleasedBodies released_;
  std::vector<Held> held_;  // in rising order
};

}  // namespace lapse::engine
