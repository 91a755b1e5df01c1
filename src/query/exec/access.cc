#include "query/exec/access.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "engine/commit/partition.h"
#include "engine/index/member_walk.h"
#include "query/plan/uses_slot.h"

namespace lapse::query::exec {
namespace {

using plan::Operator;
using plan::OperatorKind;

const Operator* ScanOf(const Operator* last) {
  while (last->input != nullptr) last = last->input;
  return last;
}

// After so many rows the page is full, and it is known that there is more.
uint64_t RowsWanted(const Wanted& wanted) {
  const uint64_t offset = wanted.start == nullptr ? wanted.shape->offset : wanted.start->offset;
  const std::optional<uint64_t> limit = wanted.start == nullptr ? wanted.shape->limit : wanted.start->limit;
  const uint64_t page = static_cast<uint64_t>(wanted.results_max) + 1;
  const uint64_t rows = std::min(page, limit.value_or(page));
  return offset > std::numeric_limits<uint64_t>::max() - rows ? std::numeric_limits<uint64_t>::max() : offset + rows;
}

// The condition's own part on this path: everything else is at other paths.
const IndexCondition* PartAt(const plan::Path& path, const IndexCondition& condition) {
  if (condition.kind == IndexCondition::Kind::kEntries) return condition.path == path ? &condition : nullptr;
  if (condition.kind != IndexCondition::Kind::kAll) return nullptr;
  for (const IndexCondition& part : condition.parts) {
    if (part.kind == IndexCondition::Kind::kEntries && part.path == path) return &part;
  }
  return nullptr;
}

}  // namespace

Status Access::Choose(const Wanted& wanted, bool use_index) {
  rows_ = wanted.shape->rows;
  scan_ = plan::ConditionOfScan(rows_);
  if (scan_.last != nullptr) {
    LAPSE_RETURN_IF_ERROR(Admit(wanted));
    if (use_index && CanBeFoundByIndex(scope_, container_)) LAPSE_RETURN_IF_ERROR(ChooseIndex(wanted));
  }
  if (items_ == nullptr) items_ = std::make_unique<ContainerItems>(container_, scope_, shown_, meter_);
  return Status::Ok();
}

Status Access::Admit(const Wanted& wanted) {
  engine::FeedOptions feed;
  feed.scope = scope_;
  if (wanted.shape->streams && wanted.start != nullptr) feed.after = wanted.start->feed;
  LAPSE_ASSIGN_OR_RETURN(const size_t first, engine::FirstPartitionOf(container_, feed));
  if (meter_ == nullptr) return Status::Ok();
  return meter_->Admit(container_.shared_from_this(), *container_.partitions()[first]);
}

Status Access::ChooseIndex(const Wanted& wanted) {
  LAPSE_ASSIGN_OR_RETURN(page_, container_.OpenIndexPage());
  const engine::ContainerIndex* const index = page_->index();
  if (index == nullptr) return Status::Ok();
  const IsAddedName is_added = [this](std::string_view name) { return shown_->Adds(name); };
  condition_ = FindInIndex(scan_.condition, *index->paths, is_added);
  const PageShape& shape = *wanted.shape;
  const bool by_paths = !shape.order.empty() && shape.order.front().expression != nullptr;
  if (by_paths) {
    order_ = IndexOrder::Find(shape, !wanted.leave_out_undefined, *index->paths, is_added);
    return ChooseByOrder(wanted);
  }
  IndexedItems::Purpose purpose;
  purpose.only_counted = AsksNothingOfItems(shape);
  if (shape.streams) {
    if (wanted.start != nullptr) purpose.after = wanted.start->feed;
    purpose.rows_max = RowsWanted(wanted);
  } else {
    purpose.everywhere = true;
  }
  return TryCandidates(purpose).status();
}

Status Access::ChooseByOrder(const Wanted& wanted) {
  const bool ordered = order_.has_value() && !(wanted.shape->distinct && !wanted.shape->keys_decide);
  const IndexCondition* const at_key =
      ordered && condition_.has_value() ? PartAt(order_->one_key(), *condition_) : nullptr;
  // A walk in order is within that one range anyway.
  const bool only_key = at_key != nullptr && at_key == &*condition_ && at_key->ranges.size() == 1;
  if (!only_key) {
    IndexedItems::Purpose purpose;
    purpose.everywhere = true;
    if (ordered) purpose.rows_max = RowsWanted(wanted);
    LAPSE_ASSIGN_OR_RETURN(const bool found, TryCandidates(purpose));
    if (found) return Status::Ok();
  }
  return ordered ? TryOrder(wanted).status() : Status::Ok();
}

// False: not by candidates.
Result<bool> Access::TryCandidates(const IndexedItems::Purpose& purpose) {
  if (!condition_.has_value()) return false;
  auto items = std::make_unique<IndexedItems>(container_, scope_, page_.get(), *condition_, shown_, meter_);
  LAPSE_ASSIGN_OR_RETURN(const bool worth_it, items->Prepare(purpose));
  if (!worth_it) return false;
  if (purpose.only_counted && items->exact() && purpose.everywhere) {
    items->LeaveOutDocuments();
    rows_ = WithoutFilters(rows_);
  }
  items_ = std::move(items);
  return true;
}

Result<bool> Access::TryOrder(const Wanted& wanted) {
  // Of a small logical partition the members are read and sorted.
  LAPSE_ASSIGN_OR_RETURN(const bool worth_it, IsMostOfPartition(RowsWanted(wanted)));
  if (!worth_it) return false;
  OrderedItems::Part part;
  part.from = wanted.start;
  const IndexCondition* const at_key = condition_.has_value() ? PartAt(order_->one_key(), *condition_) : nullptr;
  if (at_key != nullptr) {
    part.lower = at_key->ranges.front().lower;
    part.upper = at_key->ranges.back().upper;
  }
  auto items = std::make_unique<OrderedItems>(container_, scope_, page_.get(), *order_, part, shown_, meter_);
  LAPSE_ASSIGN_OR_RETURN(const bool ready, items->Prepare());
  if (!ready) return false;
  ordered_ = items.get();
  items_ = std::move(items);
  return true;
}

// Whether a walk in order of the whole partition finds rows of the scope sooner than a scan of the scope ends.
Result<bool> Access::IsMostOfPartition(uint64_t rows_max) const {
  if (!scope_.exact.has_value()) return true;
  const auto& partitions = container_.partitions();
  const auto here = std::find_if(partitions.begin(), partitions.end(),
                                 [&](const auto& partition) { return scope_.Touches(partition->range()); });
  const auto place = static_cast<size_t>(here - partitions.begin());
  const auto stored = static_cast<double>(StoredItems(container_, place));
  const double enough = std::sqrt(2 * static_cast<double>(rows_max) * stored);
  engine::MemberWalk members(page_->Partition(place), *scope_.exact);
  double count = 0;
  for (; members.Valid() && count <= enough; members.Next()) ++count;
  LAPSE_RETURN_IF_ERROR(members.status());
  return count > enough;
}

// Without its filters the plan looks at no item.
bool Access::AsksNothingOfItems(const PageShape& shape) const {
  if (!scan_.one_row || !condition_.has_value() || !condition_->exact) return false;
  const Operator* const scan = ScanOf(shape.rows);
  if (shape.result == scan->slot) return false;
  bool of_items = false;  // below it every operator is about one item
  for (const Operator* op = shape.rows; op != nullptr; op = op->input) {
    of_items |= op == scan_.last;
    const bool is_dropped = of_items && op->kind == OperatorKind::kFilter;
    if (!is_dropped && plan::UsesSlot(*op, scan->slot)) return false;
  }
  return true;
}

const Operator* Access::WithoutFilters(const Operator* last) {
  std::vector<const Operator*> kept;
  bool of_items = false;
  for (const Operator* op = last; op != nullptr; op = op->input) {
    of_items |= op == scan_.last;
    if (!of_items || op->kind != OperatorKind::kFilter) kept.push_back(op);
  }
  const Operator* input = nullptr;
  for (auto op = kept.rbegin(); op != kept.rend(); ++op) {
    own_.push_back(**op);
    own_.back().input = input;
    input = &own_.back();
  }
  return input;
}

}  // namespace lapse::query::exec
