// Eras of sequence numbers: after a reset of the clock, timestamps recur.
#pragma once

#include "base/status.h"
#include "store/shard.h"

namespace lapse::engine {

// Begins a new era. To be called before the mark is reset, and only for a shard that no server has open. Writes from
// then on get sequence numbers of the new era, so that no floor or cohort from before the reset covers them.
Status BeginClockEra(store::Shard* shard);
// Returns true if a new era was ever begun.
Result<bool> ClockWasReset(store::Shard* shard);

}  // namespace lapse::engine
