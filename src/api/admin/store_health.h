// Whether the store takes writes, as far as it says.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "doc/writer.h"
#include "engine/time/store_clock.h"

namespace lapse::api::admin {

// What the store says about itself, as far as it answers.
struct StoreHealth {
  std::optional<Status> writable = {};  // ok, or why writes are refused; nullopt: it has never answered
  int64_t silent_ms = 0;                // for how long an answer is being waited for; 0: it answers
};

// "writes": "ok", "refused" or "unknown", and a "reason" with the last two.
void AppendWriteHealth(const StoreHealth& store, doc::Writer* writer);

// "clock": {"held", "ahead_ms", "test", "frozen"}, and a "detail" while it is held.
void AppendClockHealth(const engine::StoreClock& clock, doc::Writer* writer);

}  // namespace lapse::api::admin
