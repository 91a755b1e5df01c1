// Bodies and queue entries of purged items that the change log still shows (docs/design/expiry.md).
//
// An expiry in the log refers to the body of its item. So what a sweep has purged is released to compactions only when
// the log was trimmed up to where that sweep ended.
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

// What compactions may take of the bodies and queues of a partition.
struct ReleasedBodies {
  ttl::Floors floors;
  // Bodies of inheriting items with a lower sequence are all under the floors. 0: not known of any.
  Sequence below = 0;
};

// One for each partition, in the store while something is held. Threads: none of its own.
class HeldBodies {
 public:
  // Nothing is held yet: what was purged so far is released.
  explicit HeldBodies(ttl::Floors purged) : released_{std::move(purged), 0} {}

  // As the transaction sees it. nullopt: nothing is held, all that was purged is released.
  static Result<std::optional<HeldBodies>> Load(Transaction* transaction);
  // As the store has it. What a partition has released, given what it has purged.
  static Result<ttl::Floors> LoadReleased(store::Shard* shard, PartitionId partition, const ttl::Floors& purged);

  // As a page sees it: the bodies that were purged last, released or not. Empty where nothing is held.
  static Result<ReleasedBodies> LoadPurged(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition);

  // What is purged up to now is needed until the log was trimmed up to this change.
  void HoldUntil(Sequence change, ReleasedBodies purged);
  // The log was trimmed up to here. False: nothing is held any more.
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
