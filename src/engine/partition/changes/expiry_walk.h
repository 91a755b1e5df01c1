// A walk over the expiries of a range in the change log, in sequence order.
#pragma once

#include <memory>

#include "base/status.h"
#include "engine/partition/reads/body_cursor.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/changes/expired_range.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item_records.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: one at a time. Must not outlive the snapshot.
class ExpiryWalk {
 public:
  // Starts at the first expiry behind `after` in the log.
  ExpiryWalk(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition, const ExpiredRange& range,
             Sequence after);

  // Returns false at the end and after a failure.
  bool Valid() const { return status_.ok() && items_->Valid(); }
  void Next();
  // Valid until the next move. Fails: kCorruption if the item's body is missing.
  Status Read(LoggedChange* change);
  // Returns Ok unless the walk has failed.
  Status status() const { return status_.ok() ? items_->status() : status_; }

 private:
  bool inherits() const { return range_.rule == ttl::kInheritRule; }
  // Advances to an item of the range.
  void FindItem();

  const PartitionId partition_;
  const ExpiredRange range_;
  // For items that inherit their lifetime: their bodies, mixed with those of other seconds. For all others: the entries
  // of their queue.
  std::unique_ptr<store::Iterator> items_;
  BodyCursor bodies_;  // of items from a queue
  BodyRecord body_;    // of an item that inherits
  Status status_;
};

}  // namespace lapse::engine
