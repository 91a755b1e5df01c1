// Whether the store takes writes, as far as is known.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "doc/writer.h"
#include "engine/time/store_clock.h"

namespace lapse::api::admin {

// What the store reports about itself, if it responds.
struct StoreHealth {
  std::optional<Status> writable = {};  // ok, or why writes are refused; nullopt: it has never responded
  int64_t silent_ms = 0;                // how long a response has been outstanding; 0: it responds
};

// "writes": "ok", "refused" or "unknown", and a "reason" for the last two.
void AppendWriteHealth(const StoreHealth& store, doc::Writer* writer);

// "clock": {"held", "ahead_ms", "test", "frozen"}, and a "detail" while it is held.
void AppendClockHealth(const engine::StoreClock& clock, doc::Writer* writer);

}  // namespace lapse::api::admin
