#include "query/exec/paging/read_page.h"

#include <string>
#include <utility>

#include "query/exec/paging/ordered_page.h"
#include "query/exec/paging/parallel_scan.h"
#include "query/exec/paging/streamed_page.h"
#include "query/exec/stages/query_evaluator.h"

namespace lapse::query::exec {
namespace {

// Reads a page whose rows go straight onto it.
Result<PageRead> ReadStreamed(const PageInput& input, Evaluator* evaluator, Arena* lasting, const TakeResult& take) {
  PageRead read;
  StreamedPage page(input.shape, input.start, input.results_max, evaluator, take);
  PageRun<StreamedPage> run(input.charges, evaluator, lasting, input.shape, input.watch, &page);
  if (!run.scans()) {
    run.RunOnce();
    LAPSE_RETURN_IF_ERROR(evaluator->status());
    if (page.full()) read.page.resume_after = page.ResumeAt({});
    return read;
  }
  if (page.complete()) return read;  // TOP 0
  const std::string after = input.start == nullptr ? std::string() : input.start->feed;
  LAPSE_ASSIGN_OR_RETURN(std::string next, run.Scan(input.items, after, false, &read));
  LAPSE_RETURN_IF_ERROR(evaluator->status());
  if (page.complete() || (!page.full() && next.empty())) return read;
  // A page that ended within its first item begins with that item again.
  if (next.empty()) next = after;
  read.page.resume_after = page.ResumeAt(std::move(next));
  return read;
}

// Reads all items from `after` on, on several threads if that pays. Returns where the scan resumes, or an empty
// position if it is done.
Result<std::string> ScanAll(const PageInput& input, const OrderedPage::Limits& limits, const std::string& after,
                            PageRun<OrderedPage>* run, PageRead* read) {
  ContainerScan* const scan = input.scan;
  if (scan != nullptr && scan->options.helpers != nullptr && run->can_be_shared()) {
    LAPSE_ASSIGN_OR_RETURN(Access::Slices slices, scan->access->Divide(after));
    if (slices.list.size() > 1 && slices.items >= scan->options.thresholds.shared_items) {
      const ParallelScan::Page page{scan->page,  scan->rules, input.plan,   input.shape,
                                    input.start, limits,      input.charges};
      ParallelScan parallel(page, *scan->access, std::move(slices), scan->options.helpers, scan->shown, scan->meter);
      return parallel.Run(after, run, read);
    }
  }
  return run->Scan(input.items, after, true, read);
}

// Returns false, with a continuation in `read`, if the scan is not finished.
Result<bool> ReadItems(const PageInput& input, const OrderedPage::Limits& limits, PageRun<OrderedPage>* run,
                       PageRead* read) {
  if (input.counted.has_value()) {
    run->CountItems(*input.counted);
    return true;
  }
  ContainerScan* const scan = input.scan;
  std::string after;
  if (scan != nullptr && scan->resumed.goes_on) {
    LAPSE_RETURN_IF_ERROR(run->GoOnFrom(scan->resumed.seen, scan->rereader));
    after = scan->resumed.after;
  }
  LAPSE_ASSIGN_OR_RETURN(const std::string next, ScanAll(input, limits, after, run, read));
  LAPSE_RETURN_IF_ERROR(run->status());
  if (scan == nullptr || next.empty() || run->stopped()) return true;
  ScanStateCache* const scan_states = scan->options.scan_states;
  read->unfinished = true;
  read->page.resume_after =
      UnfinishedPosition(scan->start, scan->resumed, PositionInScan(input.ordered != nullptr, next),
                         run->Seen(scan->may_show_again, StateBytesMax(scan_states)), scan_states);
  return false;
}

// Reads a page whose rows have an order of their own. All rows are made before the first one is returned.
Result<PageRead> ReadOrdered(const PageInput& input, Evaluator* evaluator, Arena* lasting, const TakeResult& take) {
  PageRead read;
  const OrderedPage::Limits limits{input.results_max, input.settings.memory_bytes_max, input.leave_out_undefined,
                                   input.settings.pool};
  OrderedPage page(input.shape, input.start, limits, evaluator);
  PageRun<OrderedPage> run(input.charges, evaluator, lasting, input.shape, input.watch, &page);
  if (input.first_row_is_enough) {
    input.ordered->StopAfterRow(run.gave_row());
  } else if (input.ordered != nullptr) {
    input.ordered->StopAt(&page);
  }
  if (run.scans()) {
    LAPSE_ASSIGN_OR_RETURN(const bool finished, ReadItems(input, limits, &run, &read));
    if (!finished) return read;
    LAPSE_RETURN_IF_ERROR(evaluator->status());
    LAPSE_RETURN_IF_ERROR(run.Finish());
  } else {
    run.RunOnce();
    LAPSE_RETURN_IF_ERROR(evaluator->status());
  }
  read.page.resume_after = page.Give(take);
  if (page.is_in_doubt()) {
    read.unfinished = true;
    read.page.resume_after = UnfinishedPosition(input.scan->start, input.scan->resumed, {}, std::nullopt, nullptr);
  }
  if (input.charges.items == ChargedItems::kReturned) read.items_milli_ru = page.given_milli_ru();
  return read;
}

}  // namespace

Result<PageRead> ReadPage(const PageInput& input, const TakeResult& take) {
  QueryEvaluator evaluator(input.plan.slot_count(), input.settings);
  evaluator.set_watch(&input.watch);
  Arena lasting(input.settings.memory_bytes_max, input.settings.pool);
  return input.shape.streams ? ReadStreamed(input, &evaluator, &lasting, take)
                             : ReadOrdered(input, &evaluator, &lasting, take);
}

}  // namespace lapse::query::exec
