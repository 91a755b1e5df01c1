// What a query walks over: items, in an order that stays the same from page to page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/exec/eval/item_view.h"

namespace lapse::query::exec {

// Threads: one.
class ItemSource {
 public:
  // Takes the item that item() shows. False: the walk ends before it. The number tells it from the others of its list.
  using TakeItem = std::function<bool(engine::ItemNumber number, size_t bytes)>;

  virtual ~ItemSource() = default;

  // Walks on from `after`, which an earlier walk gave, or from the start when it is empty. Returns where the next walk
  // goes on; empty: nothing is left. With `until_end` nothing but `take` and the page's time end it early. May block.
  virtual Result<std::string> Walk(std::string after, bool until_end, const TakeItem& take) = 0;

  // The item that the walk has come to.
  virtual const ItemView* item() const = 0;
  // Whether the item is known to pass the filters that stand directly over the scan.
  virtual bool passes_filters() const { return false; }
  // What it costs to have it on a page, in thousandths of a request unit.
  virtual int64_t item_milli_ru() const { return 0; }
  // The last walk ended early, and only because of what has expired: another one pays for the page.
  virtual bool cut_short() const { return false; }
};

}  // namespace lapse::query::exec
