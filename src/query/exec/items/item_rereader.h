// Reads items again that an earlier page of the same scan has read, as they are now.
#pragma once

#include <span>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/exec/items/numbered_items.h"
#include "query/exec/items/page_context.h"

namespace lapse::query::exec {

// Threads: one. What it is given must outlive it.
class ItemRereader {
 public:
  ItemRereader(const PageContext& page, ScannedItem* shown) : page_(page), shown_(shown), items_(shown) {}

  // Reads those that live, in the order of the numbers, which ascend. Leaves out items that are not in the scope, if it
  // is whole partitions or one logical partition. In any other scope the numbers must be known to be in it.
  Status Read(std::span<const engine::ItemNumber> numbers, const NumberedItems::Take& take);

  const ItemView* item() const { return shown_; }

 private:
  const PageContext& page_;
  const ScannedItem* const shown_;
  NumberedItems items_;
};

}  // namespace lapse::query::exec
