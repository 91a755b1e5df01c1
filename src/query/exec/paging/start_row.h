// Finds the full keys of the row that a page begins after, if the continuation has them cut. It rereads the row's item.
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

  // Calls back with the current version of the item with this number, if it lives.
  using ReadItem = std::function<Status(engine::ItemNumber, const std::function<void(const ItemView*)>&)>;
  // Returns the position with full keys, or `cut` if the item is gone or its keys have changed. With `cut`, a row that
  // begins with the same bytes may be on either side of it. Filters are ignored: an item that no longer passes them
  // keeps its position.
  Result<const PagePosition*> Find(const PageShape& shape, plan::Slot slots, const PagePosition& cut,
                                   const PageWatch& watch, const ReadItem& read);

 private:
  const plan::Operator* WithoutWhatLeavesOut(const plan::Operator* last);

  const EvalSettings settings_;
  Arena arena_;  // for the keys
  std::deque<plan::Operator> own_;
  PagePosition whole_;
};

}  // namespace lapse::query::exec
