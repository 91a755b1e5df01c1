#include "query/exec/query_page.h"

#include <optional>
#include <utility>

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

// One page. Both kinds of pages walk the items in the same way and differ in what they do with rows.
template <typename Page>
class Run {
 public:
  Run(ItemSource* source, Evaluator* evaluator, Arena* lasting, const PageShape& shape, Page* page)
      : source_(source), evaluator_(evaluator), page_(page), pipeline_(shape.rows, evaluator, lasting, page) {}

  bool scans() const { return pipeline_.scans(); }

  // Walks items. Where the next walk goes on.
  Result<std::string> Scan(std::string after, bool until_end, QueryPage* counts) {
    const auto take = [&](engine::ItemNumber number, size_t bytes) {
      ++counts->scanned_items;
      counts->scanned_bytes += bytes;
      return PushItem(number) == Flow::kMore;
    };
    return source_->Walk(std::move(after), until_end, take);
  }

  Status Finish() {
    const Arena::Mark mark = evaluator_->arena().mark();
    evaluator_->SetItem(pipeline_.item_slot(), nullptr);
    if (!evaluator_->failed()) pipeline_.Finish();
    evaluator_->arena().Rewind(mark);
    return evaluator_->status();
  }
  void RunOnce() {
    page_->BeginItem(0);
    pipeline_.RunOnce();
  }

 private:
  Flow PushItem(engine::ItemNumber number) {
    evaluator_->SetItem(pipeline_.item_slot(), source_->item());
    page_->BeginItem(number);
    const Arena::Mark mark = evaluator_->arena().mark();
    const Flow flow = pipeline_.Push();
    evaluator_->arena().Rewind(mark);
    return evaluator_->failed() ? Flow::kStop : flow;
  }

  ItemSource* const source_;
  Evaluator* const evaluator_;
  Page* const page_;
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

// What is not in the plan: how its items are found.
struct Sources {
  ItemSource* items;
  OrderedItems* ordered = nullptr;  // the same, if they come in the order of the page
  bool leave_out_undefined = false;
};

Result<QueryPage> ReadPage(const plan::Plan& plan, const PageShape& shape, const PagePosition* start,
                           const Sources& sources, const PageOptions& options, const TakeResult& take) {
  ItemSource* const source = sources.items;
  Evaluator evaluator(plan.slot_count(), options.settings);
  Arena lasting(options.settings.memory_bytes_max);
  QueryPage read;

  if (shape.streams) {
    StreamedPage page(shape, start, options.results_max, &evaluator, take);
    Run<StreamedPage> run(source, &evaluator, &lasting, shape, &page);
    if (!run.scans()) {
      run.RunOnce();
      LAPSE_RETURN_IF_ERROR(evaluator.status());
      if (page.full()) read.resume_after = page.ResumeAt({});
      return read;
    }
    if (page.complete()) return read;  // TOP 0
    LAPSE_ASSIGN_OR_RETURN(std::string next, run.Scan(start == nullptr ? std::string() : start->feed, false, &read));
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    if (page.complete() || (!page.full() && next.empty())) return read;
    // A page that ended within its first item begins there again.
    if (next.empty() && start != nullptr) next = start->feed;
    read.resume_after = page.ResumeAt(std::move(next));
    return read;
  }

  OrderedPage page(shape, start, {options.results_max, options.settings.memory_bytes_max, sources.leave_out_undefined},
                   &evaluator);
  if (sources.ordered != nullptr) sources.ordered->WalkFor(&page);
  Run<OrderedPage> run(source, &evaluator, &lasting, shape, &page);
  if (run.scans()) {
    LAPSE_RETURN_IF_ERROR(run.Scan({}, true, &read).status());
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    LAPSE_RETURN_IF_ERROR(run.Finish());
  } else {
    run.RunOnce();
    LAPSE_RETURN_IF_ERROR(evaluator.status());
  }
  read.resume_after = page.Give(take);
  return read;
}

}  // namespace

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, ItemSource* source, const PageOptions& options,
                                const TakeResult& take) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(const std::optional<PagePosition> start, StartOf(shape, options.after));
  return ReadPage(plan, shape, start.has_value() ? &*start : nullptr, {source}, options, take);
}

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                ScannedItem* item, const TakeResult& take, engine::Meter* meter) {
  LAPSE_ASSIGN_OR_RETURN(PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(const std::optional<PagePosition> start, StartOf(shape, options.after));
  Wanted wanted{&shape, start.has_value() ? &*start : nullptr, options.results_max};
  LAPSE_ASSIGN_OR_RETURN(wanted.leave_out_undefined, LeavesOutUndefined(shape, container.state()->definition.indexing));
  Access access(container, options.scope, item, meter);
  LAPSE_RETURN_IF_ERROR(access.Choose(wanted, options.use_index));
  shape.rows = access.rows();
  return ReadPage(plan, shape, wanted.start, {access.items(), access.ordered(), wanted.leave_out_undefined}, options,
                  take);
}

}  // namespace lapse::query::exec
