// Finds bodies at a snapshot. For bodies requested in the order they were written, the cursor advances from the last
// one instead of seeking each. So data that was written once is read in its order on disk.
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

  // Reads the body of this head. Valid until the next call. Fails: kCorruption if the body is missing.
  Status Find(const HeadRecord& head, BodyRecord* body);

 private:
  store::Iterator* IteratorFor(BodyClass body_class);

  store::Shard* const shard_;
  const store::Snapshot& snapshot_;
  const ContainerId container_;
  const bool fill_cache_;
  std::array<std::unique_ptr<store::Iterator>, 2> bodies_;  // by class; created on demand
  std::string key_;                                         // of the requested body
};

}  // namespace lapse::engine
