#include "query/exec/finding/access.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "engine/catalog/containers/container_feed.h"
#include "engine/catalog/counts/census.h"
#include "engine/partition/index/member_walk.h"
#include "engine/partition/index/written_walk.h"
#include "engine/shard/partitions/partition.h"
#include "query/exec/index/aggregates_of_all.h"
#include "query/exec/index/index_bounds.h"
#include "query/exec/stages/operator_chain.h"
#include "query/functions/aggregates.h"
#include "query/plan/uses_slot.h"

namespace lapse::query::exec {
namespace {

using plan::Operator;
using plan::OperatorKind;

// Reading an item by its number costs about as much as scanning this many.
constexpr int64_t kScannedForEntry = 10;

const Operator* ScanOf(const Operator* last) {
  while (last->input != nullptr) last = last->input;
  return last;
}

// After this many rows the page is full and knows that there is more.
uint64_t RowsNeeded(const AccessRequest& request) {
  const uint64_t offset = request.start == nullptr ? request.shape->offset : request.start->offset;
  const std::optional<uint64_t> limit = request.start == nullptr ? request.shape->limit : request.start->limit;
  const uint64_t page = static_cast<uint64_t>(request.results_max) + 1;
  const uint64_t rows = std::min(page, limit.value_or(page));
  return offset > std::numeric_limits<uint64_t>::max() - rows ? std::numeric_limits<uint64_t>::max() : offset + rows;
}

// Returns the condition's own part on the entries of this path. All other parts concern other entries.
const IndexCondition* PartAt(const engine::PathNumber& path, const IndexCondition& condition) {
  const auto is_at = [&](const IndexCondition& one) {
    return one.kind == IndexCondition::Kind::kEntries && one.ranges.front().path == path;
  };
  if (is_at(condition)) return &condition;
  if (condition.kind != IndexCondition::Kind::kAll) return nullptr;
  const auto part = std::find_if(condition.parts.begin(), condition.parts.end(), is_at);
  return part == condition.parts.end() ? nullptr : &*part;
}

// Whether the query asks only for the number of all items.
bool CountsItemsAlone(const PageShape& shape, const plan::ScanCondition& scan) {
  const bool all_items = scan.condition.kind == plan::Condition::Kind::kEverything && scan.condition.exact &&
                         scan.last->kind == OperatorKind::kScan;
  const std::span<const plan::AggregateCall> aggregates = AggregatesOfAll(shape, scan);
  return all_items && !aggregates.empty() &&
         std::all_of(aggregates.begin(), aggregates.end(), [](const plan::AggregateCall& call) {
           return call.aggregate == &functions::kCount && call.argument->kind == plan::ExpressionKind::kConstant;
         });
}

}  // namespace

Status Access::Choose(const AccessRequest& request, bool use_index) {
  rows_ = request.shape->rows;
  scan_ = request.scan;
  if (scan_->last != nullptr) {
    whole_partitions_ = IsWholePartitions(page_.scope(), page_.container());
    if (use_index) {
      const bool is_count = whole_partitions_ && !request.goes_on && CountsItemsAlone(*request.shape, *scan_);
      LAPSE_RETURN_IF_ERROR(is_count ? CountEverything() : ChooseIndex(request));
    }
  }
  if (items_ == nullptr) {
    items_ = std::make_unique<ContainerItems>(page_, page_.scope(), shown_, meter_, page_.watch());
  }
  return Status::Ok();
}

// The census knows how many items live without reading any.
Status Access::CountEverything() {
  LAPSE_ASSIGN_OR_RETURN(const engine::Count live, engine::Census(page_.container(), page_.scope()).Live());
  counted_ = static_cast<uint64_t>(std::max<int64_t>(0, live.items));
  support_ = IndexSupport::kAnswer;
  if (meter_ == nullptr) return Status::Ok();
  for (size_t i = 0; i < page_.container().partitions().size(); ++i) {
    if (page_.scope().Touches(page_.container().partitions()[i]->range())) meter_->ExtendTo(i);
  }
  return Status::Ok();
}

Status Access::ChooseIndex(const AccessRequest& request) {
  const engine::ContainerIndex* const index = page_.view().index();
  if (index == nullptr) return Status::Ok();
  const KnownPaths known{*index->paths, *shown_, page_.view().knows_write_order()};
  condition_ = FindInIndex(scan_->condition, known);
  // A condition that no filter states makes no query cheaper, so it is no reason to use the index.
  if (condition_.has_value() && plan::HasImplied(scan_->condition) &&
      !FindInIndex(plan::WithoutImplied(scan_->condition), known).has_value()) {
    condition_.reset();
  }
  if (condition_.has_value()) support_ = IndexSupport::kFilter;
  const PageShape& shape = *request.shape;
  const bool by_paths = !shape.order.empty() && shape.order.front().expression != nullptr;
  if (by_paths) {
    order_ = IndexOrder::Find(shape, !request.leave_out_undefined, known);
    if (order_.has_value()) support_ = IndexSupport::kOrder;
    if (condition_.has_value()) {
      by_paths_ = FindInIndex(scan_->condition, {known.index, known.added, known.write_order, false});
    }
    return ChooseByOrder(request);
  }
  LAPSE_ASSIGN_OR_RETURN(const bool found, TryExtreme(request, known));
  if (found) return Status::Ok();
  IndexedItems::Purpose purpose;
  purpose.only_counted = AsksNothingOfItems(shape);
  if (purpose.only_counted) support_ = IndexSupport::kAnswer;
  // Items that are reread may no longer pass the filters.
  purpose.only_counted &= !request.rereads_items;
  if (shape.streams) {
    if (request.start != nullptr) purpose.after = request.start->feed;
    purpose.rows_max = RowsNeeded(request);
  } else {
    purpose.everywhere = true;
    if (!request.goes_on_in_order) purpose.after = request.after;
  }
  return TryCandidates(purpose).status();
}

Status Access::ChooseByOrder(const AccessRequest& request) {
  const bool ordered = order_.has_value() && !(request.shape->distinct && !request.shape->keys_decide);
  const IndexCondition* const at_key = ordered ? PartInOrder() : nullptr;
  // A scan in index order stays within that one range anyway.
  const bool only_key =
      at_key != nullptr && condition_.has_value() && at_key == &*condition_ && at_key->ranges.size() == 1;
  if (!only_key && !request.goes_on_in_order) {
    IndexedItems::Purpose purpose;
    purpose.everywhere = true;
    purpose.after = request.after;
    if (ordered) purpose.rows_max = RowsNeeded(request);
    LAPSE_ASSIGN_OR_RETURN(const bool found, TryCandidates(purpose));
    if (found) return Status::Ok();
  }
  const bool may_be_in_order = !request.goes_on || request.goes_on_in_order;
  return ordered && may_be_in_order ? TryOrder(request).status() : Status::Ok();
}

// Returns what the condition says about the entries that provide the order, even for a path that a composite index
// covers.
const IndexCondition* Access::PartInOrder() const {
  const IndexCondition* const part = condition_.has_value() ? PartAt(order_->path(), *condition_) : nullptr;
  if (part != nullptr || !by_paths_.has_value()) return part;
  return PartAt(order_->path(), *by_paths_);
}

// Tries MIN or MAX of a path. Both are undefined if there is an array or an object among the values.
Result<bool> Access::TryExtreme(const AccessRequest& request, const KnownPaths& known) {
  const std::optional<Extreme> extreme = ExtremeOf(*request.shape, *scan_);
  if (!extreme.has_value() || !scan_->condition.exact) return false;
  const plan::Path& path = extreme->path;
  const bool everything = scan_->condition.kind == plan::Condition::Kind::kEverything;
  const bool at_path = condition_.has_value() && condition_->kind == IndexCondition::Kind::kEntries &&
                       condition_->path == path && condition_->exact && condition_->ranges.size() == 1;
  const IndexedPath indexed = FindInIndex(path, known);
  const bool has_elements =
      std::any_of(path.begin(), path.end(), [](const plan::PathStep& step) { return step.into_elements; });
  if (!(everything || at_path) || has_elements || !indexed.coverage.values || !whole_partitions_) return false;
  support_ = IndexSupport::kAnswer;
  if (request.goes_on && !request.goes_on_in_order) return false;
  const EntryBounds single = BoundsOf(plan::ValueRange::Types(plan::ValueType::kNull, plan::ValueType::kString));
  engine::IndexRange others;
  others.path = indexed.number;
  others.lower = single.upper;
  LAPSE_ASSIGN_OR_RETURN(const bool has_others, HasEntries(others));
  if (has_others) return false;
  OrderedItems::Part part{single.lower, single.upper, nullptr};
  if (at_path) {
    part.lower = std::max(part.lower, condition_->ranges.front().lower);
    part.upper = std::min(part.upper, condition_->ranges.front().upper);
  }
  order_ = IndexOrder::By(indexed.number, extreme->greatest);
  auto items = std::make_unique<OrderedItems>(page_, *order_, part, shown_, meter_);
  LAPSE_ASSIGN_OR_RETURN(const bool ready, items->Prepare());
  if (!ready) return false;
  ordered_ = items.get();
  first_row_is_enough_ = true;
  items_ = std::move(items);
  return true;
}

Result<bool> Access::HasEntries(const engine::IndexRange& range) {
  for (size_t i = 0; i < page_.container().partitions().size(); ++i) {
    if (!page_.scope().Touches(page_.container().partitions()[i]->range())) continue;
    const std::unique_ptr<engine::EntryWalk> walk = page_.view().Partition(i).Walk(range);
    LAPSE_RETURN_IF_ERROR(walk->status());
    if (walk->Valid()) return true;
  }
  return false;
}

// Returns false if candidates are not the way to find the items.
Result<bool> Access::TryCandidates(IndexedItems::Purpose purpose) {
  if (!condition_.has_value()) return false;
  purpose.helpers = helpers_;
  purpose.thresholds = thresholds_;
  auto items = std::make_unique<IndexedItems>(page_, *condition_, shown_, meter_);
  LAPSE_ASSIGN_OR_RETURN(const bool worth_it, items->Prepare(purpose));
  if (!worth_it) return false;
  if (purpose.only_counted && items->exact() && purpose.everywhere) {
    items->LeaveOutDocuments();
    rows_ = WithoutFilters(rows_);
  }
  by_entries_ = items.get();
  items_ = std::move(items);
  return true;
}

Result<bool> Access::TryOrder(const AccessRequest& request) {
  // For a small part of a partition it is cheaper to read and sort the members.
  LAPSE_ASSIGN_OR_RETURN(const bool worth_it, IsMostOfPartition(RowsNeeded(request)));
  if (!worth_it) return false;
  OrderedItems::Part part;
  part.from = request.start;
  const IndexCondition* const at_key = PartInOrder();
  if (at_key != nullptr) {
    part.lower = at_key->ranges.front().lower;
    part.upper = at_key->ranges.back().upper;
  }
  auto items = std::make_unique<OrderedItems>(page_, *order_, part, shown_, meter_);
  LAPSE_ASSIGN_OR_RETURN(const bool ready, items->Prepare());
  if (!ready) return false;
  ordered_ = items.get();
  items_ = std::move(items);
  return true;
}

// Whether an ordered scan of the whole partition would find the rows of the scope sooner than a scan of the scope would
// end.
Result<bool> Access::IsMostOfPartition(uint64_t rows_max) const {
  const auto& partitions = page_.container().partitions();
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (!page_.scope().Touches(partitions[i]->range()) || page_.scope().Covers(partitions[i]->range())) continue;
    const auto stored = static_cast<double>(StoredItems(page_.container(), i));
    const double enough = std::sqrt(2 * static_cast<double>(rows_max) * stored);
    engine::MemberWalk members(page_.view().Partition(i), page_.scope());
    double count = 0;
    for (; members.Valid() && count <= enough; members.Next()) ++count;
    LAPSE_RETURN_IF_ERROR(members.status());
    if (count <= enough) return false;
  }
  return true;
}

Result<Access::Slices> Access::Divide(const std::string& after) {
  Slices slices;
  if (!whole_partitions_ || ordered_ != nullptr || counted_.has_value()) return slices;
  LAPSE_ASSIGN_OR_RETURN(const size_t first, engine::FirstPartitionOf(page_.container(), page_.scope(), after));
  const auto& partitions = page_.container().partitions();
  for (size_t i = first; i < partitions.size(); ++i) {
    if (!page_.scope().Touches(partitions[i]->range())) continue;
    Slice slice{i, {}};
    slice.scope.range = partitions[i]->range();
    slices.list.push_back(std::move(slice));
    page_.view().Partition(i);  // makes its reader
    if (by_entries_ == nullptr) {
      slices.items += StoredItems(page_.container(), i);
    } else {
      slices.items +=
          static_cast<int64_t>(by_entries_->CountIn(i)) * (by_entries_->with_documents() ? kScannedForEntry : 1);
    }
  }
  return slices;
}

std::unique_ptr<ItemSource> Access::ItemsOf(const Slice& slice, ScannedItem* shown, engine::RequestMeter* meter,
                                            const PageWatch& watch) const {
  if (by_entries_ != nullptr) return std::make_unique<IndexedItems>(*by_entries_, slice.scope, shown, meter, watch);
  return std::make_unique<ContainerItems>(page_, slice.scope, shown, meter, watch);
}

std::string Access::found_by() const {
  if (scan_->last == nullptr) return "no items are asked for";
  if (counted_.has_value()) return "the count of living items";
  if (ordered_ != nullptr) {
    return order_->path() == engine::kWrittenPath ? "the order of writes" : "the order of an index";
  }
  if (by_entries_ != nullptr)
    return condition_->finds_left_out ? "item numbers or the order of writes" : "entries of an index";
  return "a scan";
}

// Without its filters the plan reads no item.
bool Access::AsksNothingOfItems(const PageShape& shape) const {
  if (!scan_->one_row || !condition_.has_value() || !condition_->exact) return false;
  const Operator* const scan = ScanOf(shape.rows);
  if (shape.result == scan->slot) return false;
  bool of_items = false;  // from here down, every operator is about one item
  for (const Operator* op = shape.rows; op != nullptr; op = op->input) {
    of_items |= op == scan_->last;
    const bool is_dropped = of_items && op->kind == OperatorKind::kFilter;
    if (!is_dropped && plan::UsesSlot(*op, scan->slot)) return false;
  }
  return true;
}

const Operator* Access::WithoutFilters(const Operator* last) {
  std::vector<const Operator*> kept;
  bool of_items = false;
  for (const Operator* op = last; op != nullptr; op = op->input) {
    of_items |= op == scan_->last;
    if (!of_items || op->kind != OperatorKind::kFilter) kept.push_back(op);
  }
  return ChainOf(kept, &own_);
}

}  // namespace lapse::query::exec
