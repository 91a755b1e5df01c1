#include "query/exec/paging/parallel_scan.h"

#include <algorithm>
#include <utility>

#include "query/exec/scheduling/parallel_tasks.h"
#include "query/exec/stages/query_evaluator.h"
#include "query/values/arena.h"

namespace lapse::query::exec {
namespace {

// All parts together may hold as much as the query itself, and at most half of what is left for all queries: the page
// needs memory, too.
size_t MemoryOfParts(const EvalSettings& settings) {
  if (settings.pool == nullptr) return settings.memory_bytes_max;
  return std::min(settings.memory_bytes_max, settings.pool->left() / 2);
}

}  // namespace

// One partition, scanned by a pipeline of its own.
class ParallelScan::Part {
 public:
  Part(const ParallelScan& scan, const PageWatch& watch)
      : shown_(scan.page_.rules.NewItem(scan.page_.context.state(), scan.settings_)),
        evaluator_(scan.page_.plan.slot_count(), scan.settings_),
        lasting_(scan.settings_.memory_bytes_max, scan.settings_.pool),
        page_(scan.page_.shape, scan.page_.start, LimitsOf(scan), &evaluator_),
        run_(scan.page_.charges, &evaluator_, &lasting_, scan.page_.shape, watch, &page_) {
    evaluator_.set_watch(&watch);
  }

  // Returns false if the scan failed or stopped early. The cause may be a lack of memory, or of the rows before it.
  bool Scan(const ParallelScan& scan, const Access::Slice& slice, const PageWatch& watch) {
    const std::unique_ptr<ItemSource> items = scan.access_.ItemsOf(slice, shown_.get(), nullptr, watch);
    Result<std::string> next = run_.Scan(items.get(), {}, true, &read_);
    if (!next.ok() || evaluator_.failed() || run_.stopped()) return false;
    next_ = *std::move(next);
    return run_.EndShare(scan.settings_.pool);
  }

  const PageRun<OrderedPage>& run() const { return run_; }
  const PageRead& read() const { return read_; }
  // Where the scan resumes; empty: it reached the end of the partition.
  const std::string& next() const { return next_; }

 private:
  static OrderedPage::Limits LimitsOf(const ParallelScan& scan) {
    OrderedPage::Limits limits = scan.page_.limits;
    limits.pool = scan.settings_.pool;
    return limits;
  }

  const std::unique_ptr<ScannedItem> shown_;
  QueryEvaluator evaluator_;
  Arena lasting_;
  OrderedPage page_;
  PageRun<OrderedPage> run_;
  PageRead read_;
  std::string next_;
};

ParallelScan::ParallelScan(const Page& page, const Access& access, Access::Slices slices, Helpers* helpers,
                           ScannedItem* shown, engine::RequestMeter* meter)
    : page_(page),
      access_(access),
      slices_(std::move(slices)),
      helpers_(helpers),
      shown_(shown),
      meter_(meter),
      memory_(MemoryOfParts(page.context.settings()), MemoryPool::Part{page.context.settings().pool}),
      settings_(page.context.settings()),
      parts_(slices_.list.size()) {
  settings_.pool = &memory_;
  settings_.may_be_random = false;
}

ParallelScan::~ParallelScan() = default;

Result<std::string> ParallelScan::Run(const std::string& after, PageRun<OrderedPage>* run, PageRead* read) {
  const auto scan_ahead = [this](size_t slice, const PageWatch& watch) {
    parts_[slice] = ScanSlice(slice, watch);
    return parts_[slice] != nullptr && parts_[slice]->next().empty();
  };
  ParallelTasks tasks(slices_.list.size(), helpers_, page_.context.watch(), scan_ahead);
  for (size_t i = 0; i < slices_.list.size(); ++i) {
    const Access::Slice& slice = slices_.list[i];
    const std::unique_ptr<Part> part = tasks.Claim(i) ? nullptr : std::move(parts_[i]);
    std::string next;
    if (part != nullptr) {
      LAPSE_RETURN_IF_ERROR(Take(*part, slice, run, read));
      next = part->next();
    } else {
      const std::unique_ptr<ItemSource> items = access_.ItemsOf(slice, shown_, meter_, page_.context.watch());
      LAPSE_ASSIGN_OR_RETURN(next, run->Scan(items.get(), i == 0 ? after : std::string(), true, read));
      if (run->stopped()) return next;
    }
    // The time is up. The results of later partitions are dropped.
    if (!next.empty()) return next;
  }
  return std::string();
}

std::unique_ptr<ParallelScan::Part> ParallelScan::ScanSlice(size_t slice, const PageWatch& watch) {
  auto part = std::make_unique<Part>(*this, watch);
  return part->Scan(*this, slices_.list[slice], watch) ? std::move(part) : nullptr;
}

Status ParallelScan::Take(const Part& part, const Access::Slice& slice, PageRun<OrderedPage>* run, PageRead* read) {
  if (meter_ != nullptr) meter_->ExtendTo(slice.partition);
  read->items_milli_ru += part.read().items_milli_ru;
  read->page.scanned_items += part.read().page.scanned_items;
  read->page.scanned_bytes += part.read().page.scanned_bytes;
  read->page.matching_items += part.read().page.matching_items;
  return run->TakeFrom(part.run());
}

}  // namespace lapse::query::exec
