#include "query/exec/paging/ordered_page.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <memory>
#include <utility>

#include "query/exec/positions/key_cut.h"
#include "query/exec/positions/row_keys.h"
#include "query/exec/positions/row_order.h"
#include "query/values/compare.h"
#include "query/values/copy.h"
#include "query/values/value_set.h"

namespace lapse::query::exec {
namespace {

// Dropped rows are compacted away once the arena has grown by this much and to twice its size.
constexpr size_t kCompactBytes = 1 << 20;

uint64_t SaturatingSum(uint64_t one, uint64_t other) {
  return one > std::numeric_limits<uint64_t>::max() - other ? std::numeric_limits<uint64_t>::max() : one + other;
}

}  // namespace

OrderedPage::OrderedPage(const PageShape& shape, const PagePosition* from, const Limits& limits, Evaluator* evaluator)
    : shape_(shape),
      from_(from),
      offset_(from == nullptr ? shape.offset : from->offset),
      limit_(from == nullptr ? shape.limit : from->limit),
      limits_(limits),
      evaluator_(evaluator),
      keep_all_(shape.distinct && !shape.keys_decide),
      arena_(std::make_unique<Arena>(limits.memory_bytes_max, limits.pool)),
      rows_(Less{this}) {
  looks_for_start_ = !shape.of_items && from != nullptr && from->cut.has_value();
  rows_max_ =
      SaturatingSum(offset_, std::min(limit_.value_or(~uint64_t{0}), static_cast<uint64_t>(limits.results_max) + 1));
}

std::strong_ordering OrderedPage::Compare(const Row& one, const Row& other) const {
  return CompareRows(shape_, {one.keys, one.tie_break}, {other.keys, other.tie_break});
}

Flow OrderedPage::Push() {
  Row row;
  row.keys = KeysOfRow(shape_, evaluator_);
  if (evaluator_->failed()) return Flow::kStop;
  if (shape_.several_of_group) CountWithinGroup(row.keys);
  row.tie_break = tie_break_;
  row.milli_ru = item_milli_ru_;
  ++tie_break_.row;
  if (rows_max_ == 0) return Flow::kStop;
  if (limits_.leave_out_undefined && row.keys[0].IsUndefined()) return Flow::kMore;
  if (looks_for_start_ && IsStart(row)) FoundStart(row);
  if (!Accepts(row)) return Flow::kMore;
  const Value result = ResultOf();
  if (evaluator_->failed()) return Flow::kStop;
  if (result.IsUndefined()) return Flow::kMore;
  Keep(std::move(row), result);
  return evaluator_->failed() ? Flow::kStop : Flow::kMore;
}

// The rows of a group are consecutive, and its keys live as long as the group.
void OrderedPage::CountWithinGroup(const std::vector<Value>& keys) {
  if (std::equal(keys.begin(), keys.end(), group_.begin(), group_.end(), SameValue)) return;
  group_ = keys;
  tie_break_.row = 0;
}

void OrderedPage::TakeFrom(const OrderedPage& other) {
  for (const Row& row : other.rows_) {
    if (!Accepts(row)) continue;
    Keep(row, row.result);
    if (evaluator_->failed()) return;
  }
}

bool OrderedPage::Accepts(const Row& row) {
  if (keep_all_) return true;
  if (!IsBehindStart(row) || IsBehindEdge(row)) return false;
  if (!looks_for_start_ && rows_.size() >= rows_max_ && std::is_gt(Compare(row, *rows_.rbegin()))) return false;
  return !shape_.keys_decide || DropLaterItem(row);
}

std::optional<RowCutoff::LastRow> OrderedPage::last_row() const {
  if (keep_all_) return std::nullopt;
  if (!rows_.empty() && rows_.size() >= rows_max_) return LastRow{rows_.rbegin()->keys, rows_.rbegin()->tie_break};
  if (edge_.has_value()) return LastRow{edge_->keys, edge_->tie_break};
  return std::nullopt;
}

// Whether the row has exactly the keys of the start, which are cut.
bool OrderedPage::IsStart(const Row& row) const {
  return from_ != nullptr && from_->cut.has_value() &&
         CompareToCut(shape_, row.keys, *from_) == std::partial_ordering::unordered &&
         HashOfKeys(row.keys) == from_->cut->hash;
}

void OrderedPage::FoundStart(const Row& row) {
  start_arena_ = std::make_unique<Arena>(limits_.memory_bytes_max, limits_.pool);
  start_keys_.emplace();
  for (const Value& key : row.keys) start_keys_->push_back(CopyInto(start_arena_.get(), key));
  if (start_arena_->exhausted()) evaluator_->FailForMemory(*start_arena_);
  looks_for_start_ = false;
  if (keep_all_) return;
  while (!rows_.empty() && !IsBehindStart(*rows_.begin())) rows_.erase(rows_.begin());
  while (rows_.size() > rows_max_) rows_.erase(std::prev(rows_.end()));
}

bool OrderedPage::IsBehindStart(const Row& row) const {
  if (from_ == nullptr) return true;
  if (start_keys_.has_value() || !from_->cut.has_value()) {
    const std::vector<Value>& keys = start_keys_.has_value() ? *start_keys_ : from_->keys;
    return std::is_lt(CompareRows(shape_, {keys, from_->tie_break}, {row.keys, row.tie_break}));
  }
  if (IsStart(row)) return std::is_lt(CompareRows(shape_, {row.keys, from_->tie_break}, {row.keys, row.tie_break}));
  const std::partial_ordering order = CompareToCut(shape_, row.keys, *from_);
  return order == std::partial_ordering::unordered || std::is_gt(order);
}

bool OrderedPage::IsBehindEdge(const Row& row) const {
  if (!edge_.has_value()) return false;
  const std::strong_ordering order = CompareRows(shape_, {row.keys, row.tie_break}, {edge_->keys, edge_->tie_break});
  return std::is_gt(order) || (edge_->itself && std::is_eq(order));
}

OrderedPage::State OrderedPage::state() const {
  State state;
  for (const Row& row : rows_) {
    state.items.push_back(row.tie_break.item);
    if (shape_.keys_decide) state.keys.insert(state.keys.end(), row.keys.begin(), row.keys.end());
  }
  std::sort(state.items.begin(), state.items.end());
  state.items.erase(std::unique(state.items.begin(), state.items.end()), state.items.end());
  state.edge = edge_;
  // Rows after the last one were not part of the state.
  if (!rows_.empty() && rows_.size() >= rows_max_)
    state.edge = Edge{rows_.rbegin()->keys, rows_.rbegin()->tie_break, false};
  return state;
}

void OrderedPage::GoOnWithin(const std::optional<Edge>& edge) {
  edge_ = edge;
}

void OrderedPage::LookFor(std::span<const Value> keys) {
  const size_t count = shape_.order.size();
  for (; keys.size() >= count; keys = keys.subspan(count)) {
    Row row;
    row.keys.assign(keys.begin(), keys.begin() + static_cast<ptrdiff_t>(count));
    if (rows_.contains(row) || IsBehindEdge(row)) continue;
    edge_ = Edge{row.keys, row.tie_break, true};
  }
  // Drops rows that are after the edge, which has moved nearer.
  while (!rows_.empty() && IsBehindEdge(*rows_.rbegin())) rows_.erase(std::prev(rows_.end()));
}

// If several rows count as one, keeps that of the first item, in whatever order they come. Returns false if it is there
// already.
bool OrderedPage::DropLaterItem(const Row& row) {
  const auto same = rows_.find(row);
  if (same == rows_.end()) return true;
  if (std::is_lteq(same->tie_break.Compare(row.tie_break))) return false;
  rows_.erase(same);
  return true;
}

Value OrderedPage::ResultOf() {
  for (const plan::Operator* projection : shape_.after_sort) {
    const Value value = evaluator_->Evaluate(*projection->expression);
    if (value.IsUndefined()) return {};
    evaluator_->set_slot(projection->slot, value);
  }
  return evaluator_->slot(shape_.result);
}

void OrderedPage::Keep(Row row, Value result) {
  for (Value& key : row.keys) key = CopyInto(arena_.get(), key);
  row.result = CopyInto(arena_.get(), result);
  if (arena_->exhausted()) return evaluator_->FailForMemory(*arena_);
  rows_.insert(std::move(row));
  if (!keep_all_ && !looks_for_start_ && rows_.size() > rows_max_) DropLast();
}

void OrderedPage::DropLast() {
  rows_.erase(std::prev(rows_.end()));
  if (arena_->held_bytes() > 2 * compacted_bytes_ + kCompactBytes) Compact();
}

void OrderedPage::Compact() {
  auto arena = std::make_unique<Arena>(limits_.memory_bytes_max, limits_.pool);
  std::set<Row, Less> rows(Less{this});
  while (!rows_.empty()) {
    Row row = std::move(rows_.extract(rows_.begin()).value());
    for (Value& key : row.keys) key = CopyInto(arena.get(), key);
    row.result = CopyInto(arena.get(), row.result);
    rows.insert(rows.end(), std::move(row));
  }
  rows_ = std::move(rows);
  arena_ = std::move(arena);
  compacted_bytes_ = arena_->held_bytes();
}

std::string OrderedPage::Give(const TakeResult& take) {
  Arena seen_arena(limits_.memory_bytes_max);
  ValueSet seen(&seen_arena, evaluator_->context().hash_seed());
  uint64_t offset_left = offset_;
  std::optional<uint64_t> limit_left = limit_;
  int given = 0;
  const Row* last = nullptr;
  for (const Row& row : rows_) {
    if (keep_all_) {
      if (!seen.Add(row.result)) continue;
      if (!IsBehindStart(row)) continue;
    }
    if (offset_left > 0) {
      --offset_left;
      last = &row;
      continue;
    }
    if (limit_left == 0) return {};
    const engine::Place place = given == 0 ? engine::Place::kMust : engine::Place::kIfItFits;
    if (given >= limits_.results_max || !take(row.result, place)) {
      PagePosition position;
      position.kind = PagePosition::Kind::kOrdered;
      position.limit = limit_left;
      position.tie_break = last->tie_break;
      SetKeys(last->keys, &position);
      return position.Encode();
    }
    ++given;
    // Rows of one item are consecutive.
    if (last == nullptr || given == 1 || last->tie_break.item != row.tie_break.item) given_milli_ru_ += row.milli_ru;
    if (limit_left.has_value()) --*limit_left;
    last = &row;
  }
  return edge_.has_value() && limit_left != 0 ? AtEdge(last, offset_left, limit_left) : std::string();
}

// All known rows were returned: the next page resumes after them.
std::string OrderedPage::AtEdge(const Row* last, uint64_t offset_left, std::optional<uint64_t> limit_left) {
  PagePosition position;
  position.kind = PagePosition::Kind::kOrdered;
  position.offset = offset_left;
  position.limit = limit_left;
  if (!edge_->itself) {
    SetKeys(edge_->keys, &position);
    position.tie_break = edge_->tie_break;
  } else if (last != nullptr) {
    SetKeys(last->keys, &position);
    position.tie_break = last->tie_break;
  } else {
    in_doubt_ = true;
    return {};
  }
  return position.Encode();
}

}  // namespace lapse::query::exec
