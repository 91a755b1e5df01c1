// Reads the items of a container in index order until the page has all its rows.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/throughput/request_meter.h"
#include "engine/partition/index/dead_stretch.h"
#include "query/exec/index/index_order.h"
#include "query/exec/items/item_source.h"
#include "query/exec/items/numbered_items.h"
#include "query/exec/items/page_context.h"
#include "query/exec/positions/row_cutoff.h"
#include "query/exec/scheduling/page_watch.h"

namespace lapse::query::exec {

// Threads: one. Its arguments must outlive it.
class OrderedItems : public ItemSource {
 public:
  // The part of the index that is scanned.
  struct Part {
    std::string lower;  // values; both as in engine::IndexRange
    std::string upper;
    const PagePosition* from = nullptr;  // the page begins after this row; null: at the start
  };
  OrderedItems(const PageContext& page, const IndexOrder& order, Part part, ScannedItem* shown,
               engine::RequestMeter* meter);

  // Finds the items that are left out of the index: the scan begins with them. Returns false if they are too many.
  Result<bool> Prepare();

  // Ends the scan when the page has all its rows.
  void StopAt(const RowCutoff* cutoff) { cutoff_ = cutoff; }
  // Ends the scan once an item has given a row and all items with the same value were read.
  void StopAfterRow(bool* gave_row) { gave_row_ = gave_row; }

  // Whether an earlier scan in the same order of the same path returned this position.
  bool IsPosition(std::string_view position) const;
  // Positions are those of index entries, unlike those of other sources. Empty: from where the page begins. Only the
  // time limit of the page ends it early.
  Result<std::string> Scan(std::string after, bool until_end, const TakeItem& take) override;
  const ItemView* item() const override { return shown_; }

 private:
  struct Cursor {
    size_t partition = 0;
    std::unique_ptr<engine::EntryWalk> walk;
  };
  // Entries of one partition whose items are read next.
  struct Batch {
    std::vector<engine::ItemNumber> items;
    std::unique_ptr<engine::DeadStretch> stretch;  // covers this batch and earlier ones; null: nothing is recorded
  };

  // Integers are big-endian.
  //
  //   path (16), direction (1; 1 is backward), whether a row was given (1), item number (8), the rest: the value
  struct Position {
    bool gave_row = false;
    engine::ItemNumber item = 0;
    std::string value;
  };

  bool InScope(size_t partition) const;
  Status KeepInScope(engine::IndexReader* reader, std::vector<engine::ItemNumber>* numbers) const;
  // Reads the live items. Returns false if the page takes no more.
  Result<bool> ReadAll(size_t partition, std::vector<engine::ItemNumber>* numbers, const TakeItem& take);
  Result<std::string> ScanEntries(std::vector<Cursor>* cursors, std::vector<Batch>* batches,
                                  const std::optional<Position>& behind, const TakeItem& take);
  // Returns null if the scan does not learn for every entry whether its item is alive.
  Result<std::unique_ptr<engine::DeadStretch>> StretchOf(size_t partition, const engine::IndexRange& range);
  engine::IndexRange RangeIn(size_t partition) const;
  void LeaveOutUpTo(const Position& position, size_t partition, engine::IndexRange* range) const;
  std::string Encode(const Position& position) const;
  std::optional<Position> Decode(std::string_view bytes) const;
  // Returns the cursor whose entry comes next in the order of all partitions, or null if all have ended.
  Result<Cursor*> NextCursor(std::vector<Cursor>* cursors) const;
  bool IsBefore(const engine::EntryWalk& one, const engine::EntryWalk& other) const;
  // Whether the page takes no rows from this entry on.
  bool IsEnough(const engine::EntryWalk& next) const;

  const PageContext& page_;
  const IndexOrder& order_;
  const Part part_;
  const ScannedItem* const shown_;
  engine::RequestMeter* const meter_;
  NumberedItems items_;
  const RowCutoff* cutoff_ = nullptr;
  bool* gave_row_ = nullptr;
  std::string last_value_;                                 // value of the last entry taken; only for gave_row_
  std::vector<std::vector<engine::ItemNumber>> left_out_;  // by partition
};

}  // namespace lapse::query::exec
