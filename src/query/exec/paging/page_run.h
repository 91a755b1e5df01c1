// Runs a plan over the items of a page. Both kinds of pages scan items in the same way and differ only in what they do
// with rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/exec/eval/evaluator.h"
#include "query/exec/eval/row_memory.h"
#include "query/exec/finding/access.h"
#include "query/exec/items/item_rereader.h"
#include "query/exec/items/item_source.h"
#include "query/exec/paging/ordered_page.h"
#include "query/exec/paging/page_options.h"
#include "query/exec/paging/page_start.h"
#include "query/exec/paging/scan_state.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/positions/value_list.h"
#include "query/exec/rules/page_rules.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/exec/stages/aggregate_stage.h"
#include "query/exec/stages/pipeline.h"
#include "query/values/held_memory.h"

namespace lapse::query::exec {

// The page checks its watch after this many items.
constexpr uint64_t kItemsBetweenLooks = 256;

// Which items of a page are charged, and how much.
struct ItemCharges {
  ChargedItems items = ChargedItems::kNone;
  const plan::Operator* last_of_item = nullptr;  // an item matches if a row of it passes this operator
  // Both are null only if nothing is charged.
  const PageRules* rules = nullptr;
  const engine::ContainerState* state = nullptr;

  int64_t Of(std::string_view document) const { return document.empty() ? 0 : rules->ItemMilliRu(document, *state); }
};

struct PageRead {
  QueryPage page;
  int64_t items_milli_ru = 0;
  bool unfinished = false;
};

// Threads: one. Its arguments must outlive it.
template <typename Page>
class PageRun {
 public:
  PageRun(const ItemCharges& charges, Evaluator* evaluator, Arena* lasting, const PageShape& shape,
          const PageWatch& watch, Page* page)
      : charges_(charges),
        evaluator_(evaluator),
        watch_(watch),
        page_(page),
        pipeline_(shape.rows, evaluator, lasting, {charges.last_of_item, &gives_row_}, page) {}

  bool scans() const { return pipeline_.scans(); }
  bool* gave_row() { return &gave_row_; }

  // Returns the state of the run so that a later run can resume it. Returns nullopt if the state cannot be saved, or
  // exceeds `bytes_max`.
  std::optional<std::string> Seen(bool may_show_again, size_t bytes_max) const {
    if (keeps_groups()) {
      const std::optional<std::vector<Value>> groups = pipeline_.groups()->Seen(bytes_max / kValueBytesMin);
      if (!groups.has_value() || TakesMoreThan(bytes_max, *groups)) return std::nullopt;
      return EncodeGroups(*groups);
    }
    if (pipeline_.keeps() != Pipeline::Keeps::kNothing || !page_->can_resume() || !may_show_again) return std::nullopt;
    const OrderedPage::State state = page_->state();
    if (TakesMoreThan(bytes_max, state.keys)) return std::nullopt;
    return EncodeRows(state);
  }
  // Resumes from the state of an earlier run.
  Status GoOnFrom(const ScanState& seen, ItemRereader* rereader) {
    if (seen.kind == ScanStateKind::kGroups) {
      if (!keeps_groups()) return OfAnotherQuery();
      return pipeline_.groups()->GoOnFrom(seen.groups) ? evaluator_->status() : OfAnotherQuery();
    }
    if (pipeline_.keeps() != Pipeline::Keeps::kNothing || !page_->can_resume()) return OfAnotherQuery();
    page_->GoOnWithin(seen.rows.edge);
    const auto take = [&](engine::ItemNumber number, std::string_view document) {
      const int64_t milli_ru = charges_.items == ChargedItems::kReturned ? charges_.Of(document) : 0;
      return PushItem(number, rereader->item(), milli_ru, false) == Flow::kMore;
    };
    LAPSE_RETURN_IF_ERROR(rereader->Read(seen.rows.items, take));
    LAPSE_RETURN_IF_ERROR(evaluator_->status());
    page_->LookFor(seen.rows.keys);
    return Status::Ok();
  }
  // Whether several runs, each over one partition, can be merged into this one.
  bool can_be_shared() const { return pipeline_.keeps() != Pipeline::Keeps::kOthers; }
  // Call it at the end of this run's partition, before another run takes its state. Returns false if there is no memory
  // for that.
  bool EndShare(MemoryPool* pool) {
    if (!keeps_groups()) return true;
    seen_groups_ = pipeline_.groups()->Seen(std::numeric_limits<size_t>::max());
    seen_held_ = HeldMemory(pool);
    return seen_groups_.has_value() && seen_held_.GrowTo(seen_groups_->capacity() * sizeof(Value));
  }
  // Takes the state of another run of the same page, with its own evaluator, over the next partition.
  Status TakeFrom(const PageRun& other) {
    if (!keeps_groups()) {
      page_->TakeFrom(*other.page_);
    } else {
      pipeline_.groups()->GoOnFrom(*other.seen_groups_);
    }
    return evaluator_->status();
  }
  Status status() const { return evaluator_->status(); }
  // Whether the rows ended the scan, rather than the time limit.
  bool stopped() const { return stopped_; }

  // Scans items. Returns where the next scan resumes.
  Result<std::string> Scan(ItemSource* items, const std::string& after, bool until_end, PageRead* read) {
    const auto take = [&](engine::ItemNumber number, std::string_view document) {
      if (read->page.scanned_items % kItemsBetweenLooks == 0) evaluator_->Fail(watch_.Look());
      if (evaluator_->failed()) return false;
      ++read->page.scanned_items;
      read->page.scanned_bytes += document.size();
      const int64_t milli_ru = charges_.items == ChargedItems::kReturned ? charges_.Of(document) : 0;
      const bool goes_on = PushItem(number, items->item(), milli_ru, items->passes_filters()) == Flow::kMore;
      watch_.MoveOn();
      stopped_ = !goes_on;
      gave_row_ |= gives_row_;
      if (gives_row_) ++read->page.matching_items;
      // If the page ends before an item, the next page is charged for it.
      const bool is_charged = charges_.items == ChargedItems::kScanned
                                  ? goes_on
                                  : charges_.items == ChargedItems::kMatching && gives_row_ && !page_->full();
      if (is_charged) read->items_milli_ru += charges_.Of(document);
      return goes_on;
    };
    return items->Scan(after, until_end, take);
  }
  void CountItems(uint64_t items) {
    evaluator_->SetItem(pipeline_.item_slot(), nullptr);
    page_->BeginItem(0, 0);
    pipeline_.PushTimes(items);
  }

  Status Finish() {
    const RowMemory memory(evaluator_);
    evaluator_->SetItem(pipeline_.item_slot(), nullptr);
    page_->BeginItem(0, 0);  // rows from now on belong to no item
    if (!evaluator_->failed()) pipeline_.Finish();
    return evaluator_->status();
  }
  void RunOnce() {
    page_->BeginItem(0, 0);
    pipeline_.RunOnce();
  }

 private:
  bool keeps_groups() const { return pipeline_.keeps() == Pipeline::Keeps::kGroups; }

  Flow PushItem(engine::ItemNumber number, const ItemView* item, int64_t milli_ru, bool passes_filters) {
    evaluator_->SetItem(pipeline_.item_slot(), item);
    page_->BeginItem(number, milli_ru);
    if (pipeline_.groups() != nullptr) pipeline_.groups()->BeginPart(engine::PartitionOf(number));
    gives_row_ = false;
    const RowMemory memory(evaluator_);
    const Flow flow = passes_filters ? pipeline_.PushPastFilters() : pipeline_.Push();
    return evaluator_->failed() ? Flow::kStop : flow;
  }

  const ItemCharges charges_;
  Evaluator* const evaluator_;
  const PageWatch& watch_;
  Page* const page_;
  bool gives_row_ = false;  // the item that was pushed last
  bool gave_row_ = false;   // any item
  bool stopped_ = false;
  Pipeline pipeline_;
  // Set by EndShare().
  std::optional<std::vector<Value>> seen_groups_;
  HeldMemory seen_held_;
};

}  // namespace lapse::query::exec
