// Where the clock's mark is kept: one small record in the meta family.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "store/shard.h"
#include "ttl/store_time.h"

namespace lapse::engine {

// nullopt for a shard that has never had a clock.
Result<std::optional<ttl::StoreTimeMark>> LoadClockMark(store::Shard* shard);
Status SaveClockMark(const ttl::StoreTimeMark& mark, store::Shard* shard, store::Durability durability);

// Repairs a mark that is wrong (it was once written by a clock far ahead): store time starts from now_ms. Only for a
// shard that no server has open. The test clock's offset is forgotten.
Status ResetClockMark(store::Shard* shard, int64_t now_ms);

}  // namespace lapse::engine
