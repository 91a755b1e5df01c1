// A walk over the bodies of a partition in commit order.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "store/shard.h"

namespace lapse::engine {

// Merges inheriting bodies and bodies with their own lifetime, which are stored apart. Threads: one at a time.
class BodyWalk {
 public:
  // Starts at the first body with a sequence above `after`. Leaves out inheriting bodies below `inheriting_from`.
  BodyWalk(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition, Sequence after,
           Sequence inheriting_from = 0);

  // Returns false at the end and after a failure.
  bool Valid() const;
  void Next();
  Sequence sequence() const;
  // Valid until the next move.
  Status Read(BodyRecord* body) const;
  // Returns Ok unless the walk has failed.
  Status status() const;

 private:
  struct Part {
    std::unique_ptr<store::Iterator> bodies;
    Sequence sequence = 0;  // of the current body
  };

  static Part Begin(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition, BodyClass body_class,
                    Sequence after);
  static void ReadSequence(Part* part);
  Part* First();

  Part inheriting_;
  Part own_lifetime_;
  Part* first_ = nullptr;  // the part with the next body; null at the end
};

}  // namespace lapse::engine
