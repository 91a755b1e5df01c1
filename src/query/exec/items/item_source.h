// The items that a query scans, in an order that stays the same from page to page.
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
  // Takes the item that item() shows. Returns false to end the scan before it. The number identifies the item within
  // its source. The document is empty if it was not read.
  using TakeItem = std::function<bool(engine::ItemNumber number, std::string_view document)>;

  virtual ~ItemSource() = default;

  // Scans from `after`, which an earlier scan returned, or from the start if it is empty. Returns where the next scan
  // resumes, or an empty position if no items are left. With `until_end`, only `take` and the time limit of the page
  // end it early. May block.
  virtual Result<std::string> Scan(std::string after, bool until_end, const TakeItem& take) = 0;

  // The current item of the scan.
  virtual const ItemView* item() const = 0;
  // Whether the current item is known to pass the filters directly above the scan.
  virtual bool passes_filters() const { return false; }
  // Whether the last scan ended early only because of expired items.
  virtual bool cut_short() const { return false; }
};

}  // namespace lapse::query::exec
