// One step of a sweep, as its caller sees it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "base/status.h"
#include "engine/partition/changes/held_bodies.h"
#include "engine/records/ids/count.h"
#include "engine/records/ids/ids.h"

namespace lapse::engine {

struct SweepLimit {
  int64_t items_max = std::numeric_limits<int64_t>::max();  // what can be paid for
  // Bounds the work while others wait to commit.
  int cohorts_max = 4096;
};

struct SweepOutcome {
  Count purged;
  int64_t erased_items = 0;  // removed because their whole partition key was deleted
  bool worked = false;       // it did something, or looked at something that it need not look at again
  bool more = false;         // there is more to purge now
  bool log_trimmed = false;  // changes older than they are to be kept are gone
  ReleasedBodies released;
  // When there will be, if nothing is written or changed; nullopt: never.
  std::optional<int64_t> next_due_ms;
  // When its change log is to be trimmed next, whatever is written meanwhile; nullopt: never.
  std::optional<int64_t> next_trim_ms;
  // More than the limit allowed, and it cannot be cut: the items that must be paid for at once. 0: nothing of that
  // kind.
  int64_t items_needed = 0;
};

// Called once, on the thread that committed.
using SweepDone = std::function<void(Result<SweepOutcome>)>;

}  // namespace lapse::engine
