// Where the clock's mark is kept: in a slot of its own, which never needs room, or where there is none in one small
// record of the meta family.
#pragma once

#include <optional>

#include "base/status.h"
#include "store/shard.h"
#include "store/slot.h"
#include "ttl/store_time.h"

namespace lapse::engine {

// Both must outlive it. Threads: one at a time.
class ClockMark {
 public:
  // `slot` may be null.
  ClockMark(store::Shard* shard, store::Slot* slot) : shard_(shard), slot_(slot) {}

  // nullopt when there has never been a clock. A slot that was never written means that the mark is still
  // in the meta family, or that there is none yet.
  Result<std::optional<ttl::StoreTimeMark>> Load() const;

  // Synced, however durable other writes are: expiry stands on it.
  Status Save(const ttl::StoreTimeMark& mark) const;

 private:
  store::Shard* const shard_;
  store::Slot* const slot_;
};

}  // namespace lapse::engine
