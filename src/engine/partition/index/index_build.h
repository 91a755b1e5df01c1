// One step in the making of an index, as its caller sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/status.h"
#include "engine/records/index/index_key.h"

namespace lapse::engine {

struct IndexBuildLimit {
  // What can be paid for. Others wait to commit meanwhile, and for `batch_bytes_max` of entries too.
  int64_t items_max = 256;
  size_t batch_bytes_max = 1 << 20;
};

struct IndexBuildOutcome {
  IndexId index = 0;  // the one in the making; 0: there is none
  int64_t items = 0;  // that this step has given their entries
  bool done = false;  // in this partition
};

// Called once, on the thread that committed.
using IndexBuildDone = std::function<void(Result<IndexBuildOutcome>)>;

}  // namespace lapse::engine
