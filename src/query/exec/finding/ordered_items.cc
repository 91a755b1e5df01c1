#include "query/exec/finding/ordered_items.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "engine/partition/index/member_walk.h"
#include "engine/partition/index/written_walk.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/index/index_key.h"
#include "engine/records/index/index_value.h"
#include "engine/shard/partitions/partition.h"
#include "query/exec/finding/candidates.h"

namespace lapse::query::exec {
namespace {

using Direction = engine::IndexRange::Direction;
using engine::ItemNumber;

constexpr size_t kBatchItemsFirst = 16;
constexpr size_t kBatchItemsMax = 1024;
// Size of the first batch, before the time per item is known.
constexpr size_t kFirstBatchItemsMax = 128;
constexpr int64_t kBatchTime_ns = 200'000'000;
// If more items than this are left out of the index, the page does not scan in index order.
constexpr size_t kLeftOutMax = 1000;

}  // namespace

OrderedItems::OrderedItems(const PageContext& page, const IndexOrder& order, Part part, ScannedItem* shown,
                           engine::RequestMeter* meter)
    : page_(page),
      order_(order),
      part_(std::move(part)),
      shown_(shown),
      meter_(meter),
      items_(shown),
      left_out_(page.container().partitions().size()) {}

bool OrderedItems::InScope(size_t partition) const {
  return page_.scope().Touches(page_.container().partitions()[partition]->range());
}

Result<bool> OrderedItems::Prepare() {
  // Every item has a write time, whether it is left out of the index or not.
  if (order_.path() == engine::kWrittenPath) return true;
  for (size_t i = 0; i < left_out_.size(); ++i) {
    if (!InScope(i)) continue;
    CandidateFinder finder(nullptr, &page_.view().Partition(i), {.entries_max = kLeftOutMax}, page_.watch(),
                           page_.settings().pool);
    LAPSE_ASSIGN_OR_RETURN(std::optional<std::vector<ItemNumber>> found, finder.FindLeftOut());
    if (!found.has_value()) return false;
    left_out_[i] = std::move(*found);
  }
  return true;
}

Status OrderedItems::KeepInScope(engine::IndexReader* reader, std::vector<ItemNumber>* numbers) const {
  if (page_.scope().exact.has_value()) return engine::KeepMembers(*reader, *page_.scope().exact, numbers);
  if (page_.scope().Covers(reader->partition().range())) return Status::Ok();
  LAPSE_ASSIGN_OR_RETURN(const std::vector<engine::KeyedItem> kept,
                         engine::FindInScope(reader, page_.scope(), *numbers));
  numbers->clear();
  for (const engine::KeyedItem& one : kept) numbers->push_back(one.item);
  return Status::Ok();
}

// A resumed page skips the entries that can only belong to rows before its start.
engine::IndexRange OrderedItems::RangeIn(size_t partition) const {
  engine::IndexRange range;
  range.path = order_.path();
  range.direction = order_.direction();
  range.lower = part_.lower;
  range.upper = part_.upper;
  if (part_.from == nullptr) return range;
  const IndexOrder::Prefix prefix = order_.PrefixOf(part_.from->keys);
  std::string lower = prefix.bytes;
  std::string upper = PrefixEnd(prefix.bytes);
  if (prefix.exact) {
    // The start item itself may have more rows. Other items with the same bytes are before it in earlier partitions,
    // and after it in later ones.
    const ItemNumber item = part_.from->tie_break.item;
    const engine::PartitionNumber here = page_.container().partitions()[partition]->number();
    if (here < engine::PartitionOf(item)) {
      if (order_.backward()) {
        upper = lower;
      } else {
        lower = upper;
      }
    } else if (here == engine::PartitionOf(item)) {
      engine::PutCreation(&lower, item);
      upper = lower + '\0';
    }
  }
  if (order_.backward()) {
    range.upper = range.upper.empty() ? upper : std::min(range.upper, upper);
  } else {
    range.lower = std::max(range.lower, lower);
  }
  return range;
}

// Entries are ordered by value, then by partition, then by item.
void OrderedItems::LeaveOutUpTo(const Position& position, size_t partition, engine::IndexRange* range) const {
  const engine::PartitionNumber here = page_.container().partitions()[partition]->number();
  const engine::PartitionNumber there = engine::PartitionOf(position.item);
  std::string bound = position.value;
  if (here == there) {
    engine::PutCreation(&bound, position.item);
    if (!order_.backward()) bound += '\0';
  } else if ((here < there) != order_.backward()) {
    bound = PrefixEnd(bound);
  }
  if (order_.backward()) {
    range->upper = range->upper.empty() ? bound : std::min(range->upper, bound);
  } else {
    range->lower = std::max(range->lower, bound);
  }
}

std::string OrderedItems::Encode(const Position& position) const {
  std::string bytes(engine::BytesOf(order_.path()));
  bytes.push_back(order_.backward() ? 1 : 0);
  bytes.push_back(position.gave_row ? 1 : 0);
  PutBigEndian(&bytes, position.item);
  return bytes + position.value;
}

std::optional<OrderedItems::Position> OrderedItems::Decode(std::string_view bytes) const {
  ByteReader reader(bytes);
  const std::string_view path = reader.Take(engine::BytesOf(order_.path()).size());
  const bool backward = reader.Byte() != 0;
  Position position;
  position.gave_row = reader.Byte() != 0;
  position.item = reader.BigEndian<uint64_t>();
  position.value = reader.rest();
  const bool fits = reader.ok() && path == engine::BytesOf(order_.path()) && backward == order_.backward();
  return fits && !position.value.empty() ? std::optional(std::move(position)) : std::nullopt;
}

bool OrderedItems::IsPosition(std::string_view position) const {
  return Decode(position).has_value();
}

bool OrderedItems::IsBefore(const engine::EntryWalk& one, const engine::EntryWalk& other) const {
  const int order = one.value().compare(other.value());
  if (order != 0) return (order < 0) != order_.backward();
  return engine::PartitionOf(one.item()) < engine::PartitionOf(other.item());
}

Result<OrderedItems::Cursor*> OrderedItems::NextCursor(std::vector<Cursor>* cursors) const {
  Cursor* next = nullptr;
  for (Cursor& cursor : *cursors) {
    LAPSE_RETURN_IF_ERROR(cursor.walk->status());
    if (!cursor.walk->Valid()) continue;
    if (next == nullptr || IsBefore(*cursor.walk, *next->walk)) next = &cursor;
  }
  return next;
}

bool OrderedItems::IsEnough(const engine::EntryWalk& next) const {
  if (gave_row_ != nullptr && *gave_row_) {
    engine::IndexValue value;
    std::string_view bytes = next.value();
    return next.value() != last_value_ || (engine::TakeIndexValue(&bytes, &value) && value.exact());
  }
  if (cutoff_ == nullptr) return false;
  const std::optional<RowCutoff::LastRow> last = cutoff_->last_row();
  if (!last.has_value()) return false;
  const IndexOrder::Prefix prefix = order_.PrefixOf(last->keys);
  const int order = next.value().substr(0, prefix.bytes.size()).compare(prefix.bytes);
  if (order != 0) return (order > 0) != order_.backward();
  // If the bytes are equal, only an exact prefix tells which row comes after.
  if (!prefix.exact || next.item() == last->tie_break.item) return false;
  const engine::PartitionNumber part = engine::PartitionOf(next.item());
  const engine::PartitionNumber last_part = engine::PartitionOf(last->tie_break.item);
  return part != last_part ? part > last_part : (next.item() > last->tie_break.item) != order_.backward();
}

Result<bool> OrderedItems::ReadAll(size_t partition, std::vector<ItemNumber>* numbers, const TakeItem& take) {
  engine::IndexReader& reader = page_.view().Partition(partition);
  LAPSE_RETURN_IF_ERROR(KeepInScope(&reader, numbers));
  LAPSE_ASSIGN_OR_RETURN(const NumberedItems::Read read, items_.ReadLive(&reader, *numbers, true, take));
  return !read.ended;
}

Result<std::unique_ptr<engine::DeadStretch>> OrderedItems::StretchOf(size_t partition,
                                                                     const engine::IndexRange& range) {
  engine::IndexReader& reader = page_.view().Partition(partition);
  std::unique_ptr<engine::DeadStretch> none;
  if (order_.path() == engine::kWrittenPath) return none;
  if (!page_.scope().Covers(reader.partition().range())) return none;
  LAPSE_ASSIGN_OR_RETURN(const bool all_live, reader.EveryItemLives());
  if (all_live) return none;
  const auto look = [this] { return page_.watch().Look(); };
  return std::make_unique<engine::DeadStretch>(&reader, range, page_.view().dead_run_entries_min(), look);
}

Result<std::string> OrderedItems::Scan(std::string after, bool, const TakeItem& take) {
  const std::optional<Position> behind = Decode(after);
  std::vector<Cursor> cursors;
  std::vector<Batch> batches(left_out_.size());
  for (size_t i = 0; i < left_out_.size(); ++i) {
    if (!InScope(i)) continue;
    if (meter_ != nullptr) meter_->ExtendTo(i);
    if (!left_out_[i].empty()) {
      LAPSE_ASSIGN_OR_RETURN(const bool goes_on, ReadAll(i, &left_out_[i], take));
      if (!goes_on) return std::string();
    }
    engine::IndexRange range = RangeIn(i);
    if (behind.has_value()) LeaveOutUpTo(*behind, i, &range);
    cursors.push_back({i, page_.view().Partition(i).Walk(range)});
    LAPSE_ASSIGN_OR_RETURN(batches[i].stretch, StretchOf(i, range));
  }
  Result<std::string> walked = ScanEntries(&cursors, &batches, behind, take);
  for (Batch& batch : batches) {
    if (walked.ok() && batch.stretch != nullptr) batch.stretch->End();
  }
  return walked;
}

Result<std::string> OrderedItems::ScanEntries(std::vector<Cursor>* cursors, std::vector<Batch>* batches,
                                              const std::optional<Position>& behind, const TakeItem& take) {
  // Rows of items that are left out of the index do not tell where the order begins.
  if (gave_row_ != nullptr) *gave_row_ = behind.has_value() && behind->gave_row;
  if (behind.has_value()) last_value_ = behind->value;
  Position passed;
  LAPSE_ASSIGN_OR_RETURN(Cursor * next, NextCursor(cursors));
  // If nothing is filtered out, the first batch is enough.
  const size_t first =
      cutoff_ == nullptr ? kBatchItemsFirst : std::clamp<size_t>(cutoff_->rows_max(), 1, kBatchItemsMax);
  for (size_t size = std::min(first, kFirstBatchItemsMax); next != nullptr && !IsEnough(*next->walk);) {
    const int64_t begun_ns = page_.view().steady().NowNs();
    page_.watch().MoveOn();
    LAPSE_RETURN_IF_ERROR(page_.watch().Look());
    for (size_t count = 0; next != nullptr && count < size; ++count) {
      Batch& batch = (*batches)[next->partition];
      batch.items.push_back(next->walk->item());
      if (batch.stretch != nullptr) batch.stretch->Pass(*next->walk);
      if (gave_row_ != nullptr) last_value_ = next->walk->value();
      passed.item = next->walk->item();
      if (count + 1 == size) passed.value = next->walk->value();
      next->walk->Next();
      LAPSE_ASSIGN_OR_RETURN(next, NextCursor(cursors));
    }
    // The page sorts its rows, so partitions may be read one after another.
    for (size_t i = 0; i < batches->size(); ++i) {
      Batch& batch = (*batches)[i];
      if (batch.items.empty()) continue;
      LAPSE_ASSIGN_OR_RETURN(const bool goes_on, ReadAll(i, &batch.items, take));
      if (batch.stretch != nullptr) batch.stretch->Judge(items_.live());
      if (!goes_on) return std::string();
      batch.items.clear();
    }
    if (next != nullptr && page_.watch().TimeIsUp() && !IsEnough(*next->walk)) {
      passed.gave_row = gave_row_ != nullptr && *gave_row_;
      return Encode(passed);
    }
    // A page ends between two batches, so batches shrink if items take long.
    const bool took_long = page_.view().steady().NowNs() - begun_ns > kBatchTime_ns;
    size = took_long ? std::max<size_t>(size / 8, 1) : std::min(2 * size, kBatchItemsMax);
  }
  return std::string();
}

}  // namespace lapse::query::exec
