// Runs a plan over the items of one page.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "engine/catalog/throughput/request_meter.h"
#include "query/exec/finding/access.h"
#include "query/exec/finding/ordered_items.h"
#include "query/exec/items/item_rereader.h"
#include "query/exec/items/item_source.h"
#include "query/exec/items/page_context.h"
#include "query/exec/paging/page_options.h"
#include "query/exec/paging/page_run.h"
#include "query/exec/paging/page_start.h"
#include "query/exec/paging/result_sink.h"
#include "query/exec/paging/resumed_scan.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/rules/page_rules.h"
#include "query/exec/rules/scanned_item.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/plan/plan.h"

namespace lapse::query::exec {

// Extra input of a page over a container: the next page may resume its scan, and several threads may share it.
struct ContainerScan {
  const PageContext& page;
  const PageStart& start;
  const ResumedScan& resumed;
  ItemRereader* rereader;  // null: no items are reread
  // Whether the page may reread items by number. A client can forge the state of an earlier page, so their scope must
  // be checked.
  bool may_show_again;
  Access* access;
  const QueryOptions& options;
  const PageRules& rules;
  ScannedItem* shown;
  engine::RequestMeter* meter;
};

// What a page reads, and how.
struct PageInput {
  const plan::Plan& plan;
  const PageShape& shape;
  const PagePosition* start = nullptr;  // the page begins after this row; null: the first page
  const EvalSettings& settings;
  int results_max = 0;
  const PageWatch& watch;
  ItemSource* items = nullptr;
  OrderedItems* ordered = nullptr;  // the same items, if they come in the order of the page
  bool leave_out_undefined = false;
  std::optional<uint64_t> counted = {};  // if set, there are this many items, and none is read
  ItemCharges charges = {};
  bool first_row_is_enough = false;
  ContainerScan* scan = nullptr;  // null: the items are not from a container
};

// Threads: one. May block.
Result<PageRead> ReadPage(const PageInput& input, const TakeResult& take);

}  // namespace lapse::query::exec
