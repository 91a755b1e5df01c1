// Items that an earlier page of the same walk has seen, read once more as they are now.
#pragma once

#include <span>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/exec/items/numbered_items.h"
#include "query/exec/items/page_context.h"

namespace lapse::query::exec {

// Threads: one. What it is made of must outlive it.
class ItemsAgain {
 public:
  ItemsAgain(const PageContext& page, ScannedItem* shown) : page_(page), shown_(shown), items_(shown) {}

  // Takes those that live, in the order of the numbers, which ascend. Numbers that are not of the scope are left out,
  // as far as whole partitions and one logical partition are asked for; of other scopes they must be true.
  Status Read(std::span<const engine::ItemNumber> numbers, const NumberedItems::Take& take);

  const ItemView* item() const { return shown_; }

 private:
  const PageContext& page_;
  const ScannedItem* const shown_;
  NumberedItems items_;
};

}  // namespace lapse::query::exec
