#include "query/exec/query_page.h"

#include <limits>
#include <optional>
#include <utility>

#include "query/exec/evaluator.h"
#include "query/exec/order_rule.h"
#include "query/exec/ordered_page.h"
#include "query/exec/page_position.h"
#include "query/exec/pipeline.h"
#include "query/exec/streamed_page.h"

namespace lapse::query::exec {
namespace {

constexpr int kAllItems = std::numeric_limits<int>::max();

// One page. Both kinds of pages walk the items in the same way and differ in what they do with rows.
template <typename Page>
class Run {
 public:
  Run(const engine::Container& container, const QueryOptions& options, Evaluator* evaluator, Arena* lasting,
      const PageShape& shape, Page* page, ScannedItem* item)
      : container_(container),
        options_(options),
        evaluator_(evaluator),
        page_(page),
        item_(item),
        pipeline_(shape.rows, evaluator, lasting, page) {}

  bool scans() const { return pipeline_.scans(); }

  // Walks items from a place of the feed. False: the page ended before an item.
  Result<engine::FeedPage> Scan(std::string after, bool until_end, engine::Meter* meter, QueryPage* counts) {
    const engine::FeedOptions feed{options_.scope, std::move(after), kAllItems, until_end};
    const auto take = [&](const engine::Item& item, engine::Place) {
      ++counts->scanned_items;
      counts->scanned_bytes += item.document.size();
      return PushItem(item) == Flow::kMore;
    };
    return container_.ReadFeed(feed, take, meter);
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
  Flow PushItem(const engine::Item& item) {
    item_->Set(item);
    evaluator_->SetItem(pipeline_.item_slot(), item_);
    page_->BeginItem(item.meta.number);
    const Arena::Mark mark = evaluator_->arena().mark();
    const Flow flow = pipeline_.Push();
    evaluator_->arena().Rewind(mark);
    return evaluator_->failed() ? Flow::kStop : flow;
  }

  const engine::Container& container_;
  const QueryOptions& options_;
  Evaluator* const evaluator_;
  Page* const page_;
  ScannedItem* const item_;
  Pipeline pipeline_;
};

Status OfAnotherQuery() {
  return {Code::kInvalidArgument, "the continuation is not one of this query"};
}

}  // namespace

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                ScannedItem* item, const TakeResult& take, engine::Meter* meter) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  std::optional<PagePosition> from;
  if (!options.after.empty()) {
    LAPSE_ASSIGN_OR_RETURN(from, PagePosition::Decode(options.after));
    const bool fits = shape.streams
                          ? from->kind == PagePosition::Kind::kStreamed
                          : from->kind == PagePosition::Kind::kOrdered && from->keys.size() == shape.order.size();
    if (!fits) return OfAnotherQuery();
  }
  const PagePosition* const start = from.has_value() ? &*from : nullptr;
  Evaluator evaluator(plan.slot_count(), options.settings);
  Arena lasting(options.settings.memory_bytes_max);
  QueryPage read;

  if (shape.streams) {
    StreamedPage page(shape, start, options.results_max, &evaluator, take);
    Run<StreamedPage> run(container, options, &evaluator, &lasting, shape, &page, item);
    if (!run.scans()) {
      run.RunOnce();
      LAPSE_RETURN_IF_ERROR(evaluator.status());
      if (page.full()) read.resume_after = page.ResumeAt({});
      return read;
    }
    if (page.complete()) return read;  // TOP 0
    LAPSE_ASSIGN_OR_RETURN(engine::FeedPage feed,
                           run.Scan(start == nullptr ? std::string() : start->feed, false, meter, &read));
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    if (page.complete() || (!page.full() && feed.resume_after.empty())) return read;
    // A page that ended within its first item begins there again.
    if (feed.resume_after.empty() && start != nullptr) feed.resume_after = start->feed;
    read.resume_after = page.ResumeAt(std::move(feed.resume_after));
    return read;
  }

  LAPSE_ASSIGN_OR_RETURN(const bool leave_out, LeavesOutUndefined(shape, container.state()->definition.indexing));
  OrderedPage page(shape, start, {options.results_max, options.settings.memory_bytes_max, leave_out}, &evaluator);
  Run<OrderedPage> run(container, options, &evaluator, &lasting, shape, &page, item);
  if (run.scans()) {
    LAPSE_RETURN_IF_ERROR(run.Scan({}, true, meter, &read).status());
    LAPSE_RETURN_IF_ERROR(evaluator.status());
    LAPSE_RETURN_IF_ERROR(run.Finish());
  } else {
    run.RunOnce();
    LAPSE_RETURN_IF_ERROR(evaluator.status());
  }
  read.resume_after = page.Give(take);
  return read;
}

}  // namespace lapse::query::exec
