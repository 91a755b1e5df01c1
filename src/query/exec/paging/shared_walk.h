// The walk of a page that has to see all items of several partitions: these at once, as far as threads are free
// (docs/design/query.md, "Several partitions at once").
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/helpers.h"
#include "base/status.h"
#include "engine/catalog/throughput/meter.h"
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

// Threads: one, which helpers work for. What it is made of must outlive it.
class SharedWalk {
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
  SharedWalk(const Page& page, const Access& access, Access::Slices slices, Helpers* helpers, ScannedItem* shown,
             engine::Meter* meter);
  ~SharedWalk();

  // As PageRun::Scan over all items from `after` on.
  Result<std::string> Walk(const std::string& after, PageRun<OrderedPage>* run, PageRead* read);

 private:
  class Part;

  // On any thread. Null: it came to no good end.
  std::unique_ptr<Part> WalkApart(size_t slice, const PageWatch& watch);
  Status Take(const Part& part, const Access::Slice& slice, PageRun<OrderedPage>* run, PageRead* read);

  const Page page_;
  const Access& access_;
  const Access::Slices slices_;
  Helpers* const helpers_;
  ScannedItem* const shown_;
  engine::Meter* const meter_;
  MemoryPool memory_;      // of all parts
  EvalSettings settings_;  // of each of them
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace lapse::query::exec
