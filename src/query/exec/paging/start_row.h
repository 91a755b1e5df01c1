// Finds the whole keys of the row that a page begins behind, when the continuation has them cut: its item is read
// again.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "base/status.h"
#include "query/exec/eval/item_view.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/page_shape.h"
#include "query/exec/scheduling/page_watch.h"
#include "query/functions/eval_context.h"
#include "query/values/arena.h"

namespace lapse::query::exec {

// Threads: one. Owns the position that it finds.
class StartRow {
 public:
  explicit StartRow(const EvalSettings& settings)
      : settings_(settings), arena_(settings.memory_bytes_max, settings.pool) {}

  // Calls back with the item of this number as it is now, if it lives.
  using ReadItem = std::function<Status(engine::ItemNumber, const std::function<void(const ItemView*)>&)>;
  // Returns the position with whole keys, or `cut` if the item is gone or has other keys now. Then a row that begins
  // with the same bytes may be before it or behind it. Filters do not count: an item that no longer passes them keeps
  // its position.
  Result<const PagePosition*> Find(const PageShape& shape, plan::Slot slots, const PagePosition& cut,
                                   const PageWatch& watch, const ReadItem& read);

 private:
  const plan::Operator* WithoutWhatLeavesOut(const plan::Operator* last);

  const EvalSettings settings_;
  Arena arena_;  // of the keys
  std::deque<plan::Operator> own_;
  PagePosition whole_;
};

}  // namespace lapse::query::exec
