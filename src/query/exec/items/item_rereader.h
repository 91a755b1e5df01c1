// Rereads items that an earlier page of the same scan has read, as they are now.
#pragma once

#include <span>
#include <string>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "query/exec/items/numbered_items.h"
#include "query/exec/items/page_context.h"

namespace lapse::query::exec {

// Threads: one. Its arguments must outlive it.
class ItemRereader {
 public:
  ItemRereader(const PageContext& page, ScannedItem* shown) : page_(page), shown_(shown), items_(shown) {}

  // Reads the live items among these numbers, which ascend, in that order. Skips items outside the scope if the scope
  // is whole partitions or one logical partition. For any other scope the caller must know that the numbers are in it.
  Status Read(std::span<const engine::ItemNumber> numbers, const NumberedItems::Take& take);

  const ItemView* item() const { return shown_; }

 private:
  const PageContext& page_;
  const ScannedItem* const shown_;
  NumberedItems items_;
};

}  // namespace lapse::query::exec
