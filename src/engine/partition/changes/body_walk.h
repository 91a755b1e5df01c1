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

// Inheriting bodies and those with a lifetime of their own lie apart; here they are one. Threads: one at a time.
class BodyWalk {
 public:
  // Stands on the first body with a sequence number above `after`. Bodies that inherit their lifetime and are below
  // `inheriting_from` are left out.
  BodyWalk(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition, Sequence after,
           Sequence inheriting_from = 0);

  // False at the end, and after a failure.
  bool Valid() const;
  void Next();
  Sequence sequence() const;
  // Valid until the next move.
  Status Read(BodyRecord* body) const;
  // Ok at the end; what went wrong otherwise.
  Status status() const;

 private:
  struct Part {
    std::unique_ptr<store::Iterator> bodies;
    Sequence sequence = 0;  // of where it stands
  };

  static Part Begin(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition, BodyClass body_class,
                    Sequence after);
  static void ReadSequence(Part* part);
  Part* First();

  Part inheriting_;
  Part own_lifetime_;
  Part* first_ = nullptr;  // the one whose body is next; null at the end
};

}  // namespace lapse::engine
