// What a page of a query is asked for, and what it gives beside its results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/helpers.h"
#include "engine/records/partition_key/partition_key.h"
#include "query/exec/index/index_use.h"
#include "query/exec/items/container_items.h"
#include "query/exec/paging/kept_walks.h"
#include "query/exec/scheduling/thresholds.h"
#include "query/functions/eval_context.h"

namespace lapse::query::exec {

struct PageOptions {
  std::string after;  // from an earlier page of the same query over the same items; empty: from the start
  int results_max = 100;
  EvalSettings settings;
  // Whether nobody waits for the answer any more; empty: not known. Called by any thread.
  std::function<bool()> is_abandoned = {};
  std::function<void()> let_others = {};  // called often: who has run for long enough waits here; empty: nobody does
};

// How threads that are free help with a page that has to see all items of several partitions. What it answers, what it
// costs and how it fails do not depend on it.
struct PageHelp {
  Helpers* helpers = nullptr;  // null: nobody helps
  // One to show items with, for one thread and with its settings; called by any. Empty: nobody helps.
  std::function<std::unique_ptr<ScannedItem>(const EvalSettings& settings)> new_item = {};
};

struct QueryOptions : PageOptions {
  engine::KeyScope scope;
  PageHelp help;
  Thresholds thresholds;
  KeptWalks* kept_walks = nullptr;  // of unfinished pages; null: nothing is kept
  bool use_index = true;            // false: items are found by scan alone
  bool tell_index_use = false;      // QueryPage::index_use is wanted
};

struct QueryPage {
  std::string resume_after;  // empty when there is nothing more
  uint64_t scanned_items = 0;
  uint64_t scanned_bytes = 0;
  uint64_t matching_items = 0;  // of those that were scanned: that gave a row
  IndexUse index_use;           // if it was asked for
};

}  // namespace lapse::query::exec
