// Limits and outcome of one step of an index build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/status.h"
#include "engine/records/index/index_key.h"

namespace lapse::engine {

struct IndexBuildLimit {
  // As many as the request units pay for. Writers wait while this many items, or `batch_bytes_max` of entries, are
  // added.
  int64_t items_max = 256;
  size_t batch_bytes_max = 1 << 20;
};

struct IndexBuildOutcome {
  IndexId index = 0;  // the index being built; 0: none
  int64_t items = 0;  // items indexed by this step
  bool done = false;  // in this partition
};

// Called once, on the thread that committed.
using IndexBuildDone = std::function<void(Result<IndexBuildOutcome>)>;

}  // namespace lapse::engine
