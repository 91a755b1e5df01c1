// Stores the clock's mark: in a slot of its own, which never needs space, or without one in a small record of the meta
// family.
#pragma once

#include <optional>

#include "base/status.h"
#include "store/shard.h"
#include "store/slot.h"
#include "ttl/store_time.h"

namespace lapse::engine {

// The shard and the slot must outlive it. Threads: one at a time.
class ClockMark {
 public:
  // `slot` may be null.
  ClockMark(store::Shard* shard, store::Slot* slot) : shard_(shard), slot_(slot) {}

  // Returns nullopt if there has never been a clock. If the slot was never written, the mark is still in the meta
  // family or there is none yet.
  Result<std::optional<ttl::StoreTimeMark>> Load() const;

  // Always synced, whatever the durability of other writes: expiry depends on it.
  Status Save(const ttl::StoreTimeMark& mark) const;

 private:
  store::Shard* const shard_;
  store::Slot* const slot_;
};

}  // namespace lapse::engine
