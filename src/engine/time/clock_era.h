// After the clock was reset, times come that were there before.
#pragma once

#include "base/status.h"
#include "store/shard.h"

namespace lapse::engine {

// To be called before the mark is reset. What is written from then on gets sequence numbers of a new era, so that no
// floor and no cohort of the first time has a part in it. Only for a shard that no server has open.
Status BeginClockEra(store::Shard* shard);
// Whether that was ever done.
Result<bool> ClockWasReset(store::Shard* shard);

}  // namespace lapse::engine
