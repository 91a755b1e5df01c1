#include "query/exec/query_page.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/catalog/containers/container_feed.h"
#include "query/exec/finding/access.h"
#include "query/exec/index/index_use.h"
#include "query/exec/items/item_rereader.h"
#include "query/exec/items/page_context.h"
#include "query/exec/paging/page_start.h"
#include "query/exec/paging/read_page.h"
#include "query/exec/paging/resumed_scan.h"
#include "query/exec/paging/start_row.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/plan/condition.h"

namespace lapse::query::exec {
namespace {

// One page over a container. Threads: one.
class ContainerPage {
 public:
  ContainerPage(const plan::Plan& plan, PageShape shape, PageStart start, const QueryOptions& options,
                const PageRules& rules, engine::RequestMeter* meter)
      : plan_(plan),
        shape_(std::move(shape)),
        start_(std::move(start)),
        scan_(plan::ConditionOfScan(shape_.rows)),
        options_(options),
        rules_(rules),
        meter_(meter),
        watch_(options.is_abandoned, options.let_others) {}

  Result<QueryPage> Read(const engine::Container& container, const TakeResult& take) {
    LAPSE_ASSIGN_OR_RETURN(resumed_, FindScan(shape_, start_, options_.scan_states));
    watch_.set_time_ns(engine::kPageTime_ns << resumed_.restarts);
    LAPSE_RETURN_IF_ERROR(Admit(container));
    LAPSE_ASSIGN_OR_RETURN(page_, PageContext::Open(container, options_.scope, options_.settings, &watch_));
    shown_ = rules_.NewItem(page_->state(), page_->settings());
    LAPSE_ASSIGN_OR_RETURN(leave_out_undefined_,
                           rules_.LeavesOutUndefined(shape_, page_->state().definition.indexing, *shown_));
    LAPSE_RETURN_IF_ERROR(ChooseAccess());
    LAPSE_ASSIGN_OR_RETURN(const PagePosition* const behind, FindStartRow());
    Result<PageRead> read = ReadRows(behind, take);
    Charge(read);
    LAPSE_RETURN_IF_ERROR(read.status());
    if (options_.tell_index_use) read->page.index_use = IndexUseOfPage();
    return std::move(read->page);
  }

 private:
  // Runs before the page is opened, so that a rejected query costs next to nothing.
  Status Admit(const engine::Container& container) {
    if (scan_.last == nullptr) return Status::Ok();
    const std::string_view after =
        shape_.streams && start_.behind.has_value() ? std::string_view(start_.behind->feed) : std::string_view();
    LAPSE_ASSIGN_OR_RETURN(const size_t first, engine::FirstPartitionOf(container, options_.scope, after));
    return container.Admit(meter_, first);
  }

  Status ChooseAccess() {
    while (true) {
      AccessRequest request{&shape_, &scan_, start_.behind_row(), options_.results_max, leave_out_undefined_};
      request.goes_on = resumed_.goes_on;
      request.goes_on_in_order = resumed_.in_order;
      request.rereads_items = RereadsItems();
      request.after = resumed_.after;
      access_.emplace(*page_, shown_.get(), meter_);
      access_->set_help(options_.helpers, options_.thresholds);
      LAPSE_RETURN_IF_ERROR(access_->Choose(request, options_.use_index));
      if (!resumed_.goes_on || GoesOnAs(*access_)) break;
      // If the indexes have changed, the position is meaningless.
      resumed_.Restart();
    }
    if (RereadsItems() || IsCut()) rereader_.emplace(*page_, shown_.get());
    return Status::Ok();
  }

  // Whether the scan continues in the order that it began with.
  bool GoesOnAs(const Access& access) const {
    if (!resumed_.in_order) return access.ordered() == nullptr;
    return access.ordered() != nullptr && access.ordered()->IsPosition(resumed_.after);
  }
  bool RereadsItems() const { return resumed_.goes_on && resumed_.seen.kind == ScanStateKind::kRows; }
  bool IsCut() const { return start_.behind.has_value() && start_.behind->cut.has_value(); }

  Result<const PagePosition*> FindStartRow() {
    if (!IsCut()) return start_.behind_row();
    const auto read_item = [&](engine::ItemNumber number, const std::function<void(const ItemView*)>& found) {
      return rereader_->Read({&number, 1}, [&](engine::ItemNumber, std::string_view) {
        found(rereader_->item());
        return false;
      });
    };
    start_row_.emplace(page_->settings());
    return start_row_->Find(shape_, plan_.slot_count(), *start_.behind, watch_, read_item);
  }

  Result<PageRead> ReadRows(const PagePosition* behind, const TakeResult& take) {
    shape_.rows = access_->rows();
    const bool may_show_again =
        options_.scope.exact.has_value() || IsWholePartitions(options_.scope, page_->container());
    ContainerScan scan{*page_,         start_,    resumed_, rereader_.has_value() ? &*rereader_ : nullptr,
                       may_show_again, &*access_, options_, rules_,
                       shown_.get(),   meter_};
    PageInput input{plan_, shape_, behind, page_->settings(), options_.results_max, watch_};
    input.items = access_->items();
    input.ordered = access_->ordered();
    input.leave_out_undefined = leave_out_undefined_;
    input.counted = access_->counted();
    input.charges = {rules_.ItemsToCharge(access_->support()), scan_.last, &rules_, &page_->state()};
    input.first_row_is_enough = access_->first_row_is_enough();
    input.scan = &scan;
    return ReadPage(input, take);
  }

  void Charge(const Result<PageRead>& read) {
    if (meter_ == nullptr) return;
    if (!read.ok()) return meter_->ChargeRefused(read.status());
    const bool cut_short = !access_->counted().has_value() && access_->items()->cut_short();
    meter_->Charge(rules_.PageMilliRu(read->items_milli_ru, read->unfinished || cut_short));
  }

  IndexUse IndexUseOfPage() const {
    const engine::ContainerIndex* const index = page_->view().index();
    return UseOf(scan_, shape_, index == nullptr ? nullptr : index->paths.get(), *shown_);
  }

  const plan::Plan& plan_;
  PageShape shape_;
  const PageStart start_;
  const plan::ScanCondition scan_;
  const QueryOptions& options_;
  const PageRules& rules_;
  engine::RequestMeter* const meter_;
  PageWatch watch_;
  ResumedScan resumed_;
  std::unique_ptr<PageContext> page_;
  std::unique_ptr<ScannedItem> shown_;
  bool leave_out_undefined_ = false;
  std::optional<Access> access_;
  std::optional<ItemRereader> rereader_;
  std::optional<StartRow> start_row_;
};

}  // namespace

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, ItemSource* source, const PageOptions& options,
                                const TakeResult& take) {
  LAPSE_ASSIGN_OR_RETURN(const PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(const PageStart start, StartOf(shape, options.after));
  if (start.scan.has_value()) return OfAnotherQuery();
  const PageWatch watch(options.is_abandoned, options.let_others);
  StartRow start_row(options.settings);
  const PagePosition* behind = start.behind_row();
  if (behind != nullptr && behind->cut.has_value()) {
    const auto read_item = [&](engine::ItemNumber item, const std::function<void(const ItemView*)>& found) {
      const auto take_item = [&](engine::ItemNumber number, std::string_view) {
        if (number == item) found(source->item());
        return number != item;
      };
      return source->Scan({}, true, take_item).status();
    };
    LAPSE_ASSIGN_OR_RETURN(behind, start_row.Find(shape, plan.slot_count(), *behind, watch, read_item));
  }
  PageInput input{plan, shape, behind, options.settings, options.results_max, watch};
  input.items = source;
  LAPSE_ASSIGN_OR_RETURN(PageRead read, ReadPage(input, take));
  return std::move(read.page);
}

Result<QueryPage> ReadQueryPage(const plan::Plan& plan, const engine::Container& container, const QueryOptions& options,
                                const PageRules& rules, const TakeResult& take, engine::RequestMeter* meter) {
  LAPSE_ASSIGN_OR_RETURN(PageShape shape, PageShape::Of(plan.query()));
  LAPSE_ASSIGN_OR_RETURN(PageStart start, StartOf(shape, options.after));
  ContainerPage page(plan, std::move(shape), std::move(start), options, rules, meter);
  return page.Read(container, take);
}

}  // namespace lapse::query::exec
