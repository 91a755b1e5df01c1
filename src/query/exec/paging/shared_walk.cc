#include "query/exec/paging/shared_walk.h"

#include <algorithm>
#include <utility>

#include "query/exec/scheduling/shares.h"
#include "query/exec/stages/query_evaluator.h"
#include "query/values/arena.h"

namespace lapse::query::exec {
namespace {

// What is held apart is at most as much again as the query may hold. And no more than a half of what is left for all
// queries: the page itself needs some, too.
size_t MemoryOfParts(const EvalSettings& settings) {
  if (settings.pool == nullptr) return settings.memory_bytes_max;
  return std::min(settings.memory_bytes_max, settings.pool->left() / 2);
}

}  // namespace

// One partition, seen by a pipeline of its own.
class SharedWalk::Part {
 public:
  Part(const SharedWalk& walk, const PageWatch& watch)
      : shown_(walk.page_.rules.NewItem(walk.page_.context.state(), walk.settings_)),
        evaluator_(walk.page_.plan.slot_count(), walk.settings_),
        lasting_(walk.settings_.memory_bytes_max, walk.settings_.pool),
        page_(walk.page_.shape, walk.page_.start, LimitsOf(walk), &evaluator_),
        run_(walk.page_.charges, &evaluator_, &lasting_, walk.page_.shape, watch, &page_) {
    evaluator_.set_watch(&watch);
  }

  // False: it came to no good end. That may be because of what it lacks here: memory, rows that came before.
  bool Walk(const SharedWalk& walk, const Access::Slice& slice, const PageWatch& watch) {
    const std::unique_ptr<ItemSource> items = walk.access_.ItemsOf(slice, shown_.get(), nullptr, watch);
    Result<std::string> next = run_.Scan(items.get(), {}, true, &read_);
    if (!next.ok() || evaluator_.failed() || run_.stopped()) return false;
    next_ = *std::move(next);
    return run_.EndShare(walk.settings_.pool);
  }

  const PageRun<OrderedPage>& run() const { return run_; }
  const PageRead& read() const { return read_; }
  // Where the walk goes on; empty: it has come to the end of the partition.
  const std::string& next() const { return next_; }

 private:
  static OrderedPage::Limits LimitsOf(const SharedWalk& walk) {
    OrderedPage::Limits limits = walk.page_.limits;
    limits.pool = walk.settings_.pool;
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

SharedWalk::SharedWalk(const Page& page, const Access& access, Access::Slices slices, Helpers* helpers,
                       ScannedItem* shown, engine::Meter* meter)
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

SharedWalk::~SharedWalk() = default;

Result<std::string> SharedWalk::Walk(const std::string& after, PageRun<OrderedPage>* run, PageRead* read) {
  const auto walk_apart = [this](size_t slice, const PageWatch& watch) {
    parts_[slice] = WalkApart(slice, watch);
    return parts_[slice] != nullptr && parts_[slice]->next().empty();
  };
  Shares helped(slices_.list.size(), helpers_, page_.context.watch(), walk_apart);
  for (size_t i = 0; i < slices_.list.size(); ++i) {
    const Access::Slice& slice = slices_.list[i];
    const std::unique_ptr<Part> part = helped.IsMine(i) ? nullptr : std::move(parts_[i]);
    std::string next;
    if (part != nullptr) {
      LAPSE_RETURN_IF_ERROR(Take(*part, slice, run, read));
      next = part->next();
    } else {
      const std::unique_ptr<ItemSource> items = access_.ItemsOf(slice, shown_, meter_, page_.context.watch());
      LAPSE_ASSIGN_OR_RETURN(next, run->Scan(items.get(), i == 0 ? after : std::string(), true, read));
      if (run->stopped()) return next;
    }
    // Its time is up. What was seen of partitions behind this one is lost.
    if (!next.empty()) return next;
  }
  return std::string();
}

std::unique_ptr<SharedWalk::Part> SharedWalk::WalkApart(size_t slice, const PageWatch& watch) {
  auto part = std::make_unique<Part>(*this, watch);
  return part->Walk(*this, slices_.list[slice], watch) ? std::move(part) : nullptr;
}

Status SharedWalk::Take(const Part& part, const Access::Slice& slice, PageRun<OrderedPage>* run, PageRead* read) {
  if (meter_ != nullptr) meter_->ExtendTo(slice.partition);
  read->items_milli_ru += part.read().items_milli_ru;
  read->page.scanned_items += part.read().page.scanned_items;
  read->page.scanned_bytes += part.read().page.scanned_bytes;
  read->page.matching_items += part.read().page.matching_items;
  return run->TakeFrom(part.run());
}

}  // namespace lapse::query::exec
