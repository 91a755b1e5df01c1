// What a query walks over: items, in an order that stays the same from page to page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/exec/eval/item_view.h"

namespace lapse::query::exec {

// Threads: one.
class ItemSource {
 public:
  // Takes the item that item() shows. Returns false to end the walk before it. The number tells the item from the
  // others of its source. The document is empty if it was not read.
  using TakeItem = std::function<bool(engine::ItemNumber number, std::string_view document)>;

  virtual ~ItemSource() = default;

  // Walks on from `after`, which an earlier walk gave, or from the start when it is empty. Returns where the next walk
  // goes on; empty: nothing is left. With `until_end` nothing but `take` and the page's time end it early. May block.
  virtual Result<std::string> Walk(std::string after, bool until_end, const TakeItem& take) = 0;

  // The item that the walk has come to.
  virtual const ItemView* item() const = 0;
  // Whether the item is known to pass the filters that stand directly over the scan.
  virtual bool passes_filters() const { return false; }
  // The last walk ended early, and only because of what has expired: another one pays for the page.
  virtual bool cut_short() const { return false; }
};

}  // namespace lapse::query::exec
