// What a page of a query is asked for, and what it gives beside its results.
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

// For a list of items that are not those of a container, too.
struct PageOptions {
  std::string after;  // from an earlier page of the same query over the same items; empty: from the start
  int results_max = 100;
  EvalSettings settings;  // of a page over a container, its time does not count: see PageContext
  // Whether nobody waits for the answer any more; empty: not known. Called by any thread.
  std::function<bool()> is_abandoned = {};
  std::function<void()> let_others = {};  // called often: who has run for long enough waits here; empty: nobody does
};

struct QueryOptions : PageOptions {
  engine::KeyScope scope;
  // Idle threads that help with a page that reads all items of several partitions; null: none. The answer, its price
  // and its errors do not depend on them.
  Helpers* helpers = nullptr;
  Thresholds thresholds;
  ScanStateCache* scan_states = nullptr;  // of unfinished pages; null: nothing is kept
  bool use_index = true;                  // false: items are found by scan alone
  bool tell_index_use = false;            // asks for QueryPage::index_use
};

struct QueryPage {
  std::string resume_after;  // empty when there is nothing more
  uint64_t scanned_items = 0;
  uint64_t scanned_bytes = 0;
  uint64_t matching_items = 0;  // of those that were scanned: that gave a row
  IndexUse index_use;           // if it was asked for
};

}  // namespace lapse::query::exec
