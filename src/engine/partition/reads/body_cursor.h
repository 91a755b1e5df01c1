// Finds bodies at a snapshot. Bodies that are asked for in the order they were written are found by going on from the
// last one, without a look-up each: data that was written once is read in the order it lies on the disk.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "store/shard.h"

namespace lapse::engine {

// Threads: one. Must not outlive the snapshot.
class BodyCursor {
 public:
  BodyCursor(store::Shard* shard, const store::Snapshot& snapshot, ContainerId container, bool fill_cache = false)
      : shard_(shard), snapshot_(snapshot), container_(container), fill_cache_(fill_cache) {}

  // The body that the head leads to. Valid until the next call. Fails: kCorruption when it is not there.
  Status Find(const HeadRecord& head, BodyRecord* body);

 private:
  store::Iterator* IteratorFor(BodyClass body_class);

  store::Shard* const shard_;
  const store::Snapshot& snapshot_;
  const ContainerId container_;
  const bool fill_cache_;
  std::array<std::unique_ptr<store::Iterator>, 2> bodies_;  // by class; made when they are needed
  std::string key_;                                         // of the body that is asked for
};

}  // namespace lapse::engine
