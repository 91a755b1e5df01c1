#include "query/exec/query_page.h"

#include <optional>
#include <utility>

#include "engine/request_units/prices.h"
#include "query/exec/access.h"
#include "query/exec/evaluator.h"
#include "query/exec/order_rule.h"
#include "query/exec/ordered_page.h"
#include "query/exec/page_position.h"
#include "query/exec/page_shape.h"
#include "query/exec/pipeline.h"
#include "query/exec/streamed_page.h"

namespace lapse::query::exec {
namespace {

// So many items are looked at before it is asked again whether anybody waits for the answer.
constexpr uint64_t kItemsBetweenLooks = 256;

// What is not in the plan: how its items are found, and which of them cost something.
struct Sources {
  ItemSource* items;
  OrderedItems* ordered = nullptr;  // the same, if they come in the order of the page
  bool leave_out_undefined = false;
  std::optional<uint64_t> counted = {};  // so many items are passed over without a look at them
  Priced priced = Priced::kLookedAt;
  const plan::Operator* last_of_item = nullptr;
  bool first_row_is_enough = false;
};

struct PageRead {
  QueryPage page;
  int64_t items_milli_ru = 0;
};

// One page. Both kinds of pages walk the items in the same way and differ in what they do with rows.
template <typename Page>
class Run {
 public:
  Run(const Sources& sources, Evaluator* evaluator, Arena* lasting, const PageShape& shape,
      const std::function<bool()>& is_abandoned, Page* page)
      : sources_(sources),
        evaluator_(evaluator),
        is_abandoned_(is_abandoned),
        page_(page),
        pipeline_(shape.rows, evaluator, lasting, {sources.last_of_item, &gives_row_}, page) {}

  bool scans() const { return pipeline_.scans(); }
  bool* gave_row() { return &gave_row_; }

  // Walks items. Where the next walk goes on.
  Result<std::string> Scan(std::string after, bool until_end, PageRead* read) {
    const auto take = [&](engine::ItemNumber number, size_t bytes) {
      if (read->page.scanned_items % kItemsBetweenLooks == 0 && is_abandoned_ && is_abandoned_()) {
        evaluator_->Fail({Code::kUnavailable, "nobody waits for the answer"});
        return false;
      }
      ++read->page.scanned_items;
      read->page.scanned_bytes += bytes;
      const int64_t milli_ru = sources_.priced == Priced::kOnPage ? sources_.items->item_milli_ru() : 0;
      const bool goes_on = PushItem(number, milli_ru) == Flow::kMore;
      gave_row_ |= gives_row_;
      if (gives_row_) ++read->page.matching_items;
      // An item before which the page ends is paid for with the next one.
      const bool pays = sources_.priced == Priced::kLookedAt
                            ? goes_on
                            : sources_.priced == Priced::kMatching && gives_row_ && !page_->full();
      if (pays) read->items_milli_ru += sources_.items->item_milli_ru();
      return goes_on;
    };
    return sources_.items->Walk(std::move(after), until_end, take);
  }
  void CountItems(uint64_t items) {
    evaluator_->SetItem(pipeline_.item_slot(), nullptr);
    page_->BeginItem(0, 0);
    pipeline_.PushTimes(items);
  }

  Status Finish() {
    const Arena::Mark mark = evaluator_->arena().mark();
    evaluator_->SetItem(pipeline_.item_slot(), nullptr);
    if (!evaluator_->failed()) pipeline_.Finish();
    evaluator_->arena().Rewind(mark);
    return evaluator_->status();
  }
  void RunOnce() {
    page_->BeginItem(0, 0);
    pipeline_.RunOnce();
  }

 private:
  Flow PushItem(engine::ItemNumber number, int64_t milli_ru) {
    evaluator_->SetItem(pipeline_.item_slot(), sources_.items->item());
    page_->BeginItem(number, milli_ru);
    gives_row_ = false;
    const Arena::Mark mark = evaluator_->arena().mark();
    const Flow flow = pipeline_.Push();
    evaluator_->arena().Rewind(mark);
    return evaluator_->failed() ? Flow::kStop : flow;
  }

  const Sources& sources_;
  Evaluator* const evaluator_;
  const std::function<bool()>& is_abandoned_;
  Page* const page_;
  bool gives_row_ = false;  // the item that was pushed last
  bool gave_row_ = false;   // any item
  Pipeline pipeline_;
};

Status OfAnotherQuery() {
  return {Code::kInvalidArgument, "the continuation is not one of this query"};
}

// Nullopt: the page is the first one.
Result<std::optional<PagePosition>> StartOf(const PageShape& shape, const std::string& after) {
  if (after.empty()) return std::optional<PagePosition>();
  LAPSE_ASSIGN_OR_RETURN(PagePosition from, PagePosition::Decode(after));
  const bool fits = shape.streams ? from.kind == PagePosition::Kind::kStreamed
                                  : from.kind == PagePosition::Kind::kOrdered && from.keys.size() == shape.order.size();
  if (!fits) return OfAnotherQuery();
  return std::optional<PagePosition>(std::move(from));
}

Result<PageRead> ReadPage(const plan::Plan& plan, const PageShape& shape, const PagePosition* start,
                          const Sources& sources, const PageOptions& options, const TakeResult& take) {
  Evaluator evaluator(plan.slot_count(), options.settings);
  Arena lasting(options.settings.memory_bytes_max, options.settings.pool);
  PageRead read;

  if (shape.streams) {
    StreamedPage page(shape, start, options.results_max, &evaluator, take);
    Run<StreamedPage> run(sources, &evaluator, &lasting, shape, options.is_abandoned, &page);
    if (!run.scans()) {
      run.RunOnce();
      LAPSE_RETURN_IF_ERROR(evaluator.status());
      if (page.full()) read.page.resume_after = page.ResumeAt({});
      return read;
    }
    if (page.complete()) return read;  // TOP 0
    LAPSE_ASSIGN_OR_RETURN(std::string next, run.Scan(start == nullptr ? std::string() : start->feed, false, &read));
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    if (page.complete() || (!page.full() && next.empty())) return read;
    // A page that ended within its first item begins there again.
    if (next.empty() && start != nullptr) next = start->feed;
    read.page.resume_after = page.ResumeAt(std::move(next));
    return read;
  }

  OrderedPage page(
      shape, start,
      {options.results_max, options.settings.memory_bytes_max, sources.leave_out_undefined, options.settings.pool},
      &evaluator);
  Run<OrderedPage> run(sources, &evaluator, &lasting, shape, options.is_abandoned, &page);
  if (sources.first_row_is_enough) {
    sources.ordered->WalkUntilRow(run.gave_row());
  } else if (sources.ordered != nullptr) {
    sources.ordered->WalkFor(&page);
  }
  if (run.scans()) {
    if (sources.counted.has_value()) {
      run.CountItems(*sources.counted);
    } else {
      LAPSE_RETURN_IF_ERROR(run.Scan({}, true, &read).status());
    }
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    LAPSE_RETURN_IF_ERROR(run.Finish());
  } else {
    run.RunOnce();
    LAPSE_RETURN_IF_ERROR(evaluator.status());
  }
  read.page.resume_after = page.Give(take);
  if (sources.priced == Priced::kOnPage) read.items_milli_ru = page.given_milli_ru();
  return read;
}

}  // namespace

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, ItemSource* source, const PageOptions& options,
                                const TakeResult& take) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(const std::optional<PagePosition> start, StartOf(shape, options.after));
  LAPSE_ASSIGN_OR_RETURN(PageRead read,
                         ReadPage(plan, shape, start.has_value() ? &*start : nullptr, {source}, options, take));
  return std::move(read.page);
}

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                ScannedItem* item, const TakeResult& take, engine::Meter* meter) {
  LAPSE_ASSIGN_OR_RETURN(PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(const std::optional<PagePosition> start, StartOf(shape, options.after));
  Wanted wanted{&shape, start.has_value() ? &*start : nullptr, options.results_max};
  const std::shared_ptr<const engine::ContainerState> state = container.state();
  LAPSE_ASSIGN_OR_RETURN(wanted.leave_out_undefined, LeavesOutUndefined(shape, state->definition.indexing));
  Access access(container, options.scope, item, meter);
  LAPSE_RETURN_IF_ERROR(access.Choose(wanted, options.use_index));
  shape.rows = access.rows();
  const Sources sources{access.items(),  access.ordered(),      wanted.leave_out_undefined,  access.counted(),
                        access.priced(), access.last_of_item(), access.first_row_is_enough()};
  Result<PageRead> read = ReadPage(plan, shape, wanted.start, sources, options, take);
  if (meter != nullptr) {
    if (read.ok()) {
      const bool is_walk = sources.items != nullptr && !sources.counted.has_value();
      meter->Charge(engine::PageMilliRu(read->items_milli_ru, is_walk && sources.items->cut_short()));
    } else {
      meter->ChargeRefused(read.status());
    }
  }
  LAPSE_RETURN_IF_ERROR(read.status());
  if (options.tell_index_use) {
    const engine::IndexedPaths* const paths = state->index.has_value() ? state->index->paths.get() : nullptr;
    read->page.index_use = UseOf(access.condition(), shape, paths, *item);
  }
  return std::move(read->page);
}

}  // namespace lapse::query::exec
