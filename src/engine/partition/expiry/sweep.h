// Limits and outcome of one sweep step.
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
  int64_t items_max = std::numeric_limits<int64_t>::max();  // as many as the request units pay for
  // Bounds the work while writers wait to commit.
  int cohorts_max = 4096;
};

struct SweepOutcome {
  Count purged;
  int64_t erased_items = 0;  // removed because their whole partition key was deleted
  bool worked = false;       // it made progress, if only by passing cohorts that need no second look
  bool more = false;         // more items can be purged now
  bool log_trimmed = false;  // changes past their retention were dropped
  ReleasedBodies released;
  // When the next items can be purged if nothing is written or changed; nullopt: never.
  std::optional<int64_t> next_due_ms;
  // When the change log is due for its next trim, regardless of writes until then; nullopt: never.
  std::optional<int64_t> next_trim_ms;
  // Set if the next unit of work exceeds the limit and cannot be split: the items that must be paid for at once. 0: not
  // the case.
  int64_t items_needed = 0;
};

// Called once, on the thread that committed.
using SweepDone = std::function<void(Result<SweepOutcome>)>;

}  // namespace lapse::engine
