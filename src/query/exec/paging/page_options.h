// What a caller asks of a query page, and what the page returns beside its results.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/helpers.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/index/index_use.h"
#include "query/exec/paging/scan_state_cache.h"
#include "query/exec/scheduling/thresholds.h"
#include "query/functions/eval_context.h"

namespace lapse::query::exec {

// Also for a list of items that is not a container.
struct PageOptions {
  std::string after;  // from an earlier page of the same query over the same items; empty: from the start
  int results_max = 100;
  EvalSettings settings;  // a page over a container ignores their time: see PageContext
  // Returns true if no client waits for the answer any more. Empty: unknown. Any thread may call it.
  std::function<bool()> is_abandoned = {};
  std::function<void()> let_others = {};  // called often: yields to waiting queries; empty: never
};

struct QueryOptions : PageOptions {
  engine::KeyScope scope;
  // Idle threads that help with a page that reads all items of several partitions; null: none. They do not affect the
  // answer, its price or its errors.
  Helpers* helpers = nullptr;
  Thresholds thresholds;
  ScanStateCache* scan_states = nullptr;  // for unfinished pages; null: no state is kept
  bool use_index = true;                  // false: only scans find items
  bool tell_index_use = false;            // whether to fill QueryPage::index_use
};

struct QueryPage {
  std::string resume_after;  // empty if there are no more results
  uint64_t scanned_items = 0;
  uint64_t scanned_bytes = 0;
  uint64_t matching_items = 0;  // scanned items that gave a row
  IndexUse index_use;           // if it was asked for
};

}  // namespace lapse::query::exec
