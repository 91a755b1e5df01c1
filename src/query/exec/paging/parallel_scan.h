// Scans all items of several partitions for one page, on several threads if some are idle (docs/design/query.md,
// "Several partitions at once").
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/helpers.h"
#include "base/status.h"
#include "engine/catalog/throughput/request_meter.h"
#include "query/exec/finding/access.h"
#include "query/exec/items/page_context.h"
#include "query/exec/paging/ordered_page.h"
#include "query/exec/paging/page_run.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/rules/page_rules.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/functions/eval_context.h"
#include "query/plan/plan.h"
#include "query/values/memory_pool.h"

namespace lapse::query::exec {

// Threads: one; helpers work for it. Its arguments must outlive it.
class ParallelScan {
 public:
  struct Page {
    const PageContext& context;
    const PageRules& rules;
    const plan::Plan& plan;
    const PageShape& shape;
    const PagePosition* start;  // null: the first page
    OrderedPage::Limits limits;
    ItemCharges charges;
  };
  ParallelScan(const Page& page, const Access& access, Access::Slices slices, Helpers* helpers, ScannedItem* shown,
               engine::RequestMeter* meter);
  ~ParallelScan();

  // Like PageRun::Scan(), over all items from `after` on.
  Result<std::string> Run(const std::string& after, PageRun<OrderedPage>* run, PageRead* read);

 private:
  class Part;

  // Runs on any thread. Returns null if the scan failed or stopped early.
  std::unique_ptr<Part> ScanSlice(size_t slice, const PageWatch& watch);
  Status Take(const Part& part, const Access::Slice& slice, PageRun<OrderedPage>* run, PageRead* read);

  const Page page_;
  const Access& access_;
  const Access::Slices slices_;
  Helpers* const helpers_;
  ScannedItem* const shown_;
  engine::RequestMeter* const meter_;
  MemoryPool memory_;      // shared by all parts
  EvalSettings settings_;  // for each part
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace lapse::query::exec
