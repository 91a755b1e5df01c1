// Stores and removes the records of one item:
//
//   head     by partition key and id   written with every change
//   record   by number                 written with every change
//   body     in commit order           each version once
//   member   of the partition key      once, when the item is created
//   queue    by deadline               each version, where the item has a ttl of its own
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "engine/partition/transaction/transaction.h"
#include "engine/records/items/item_records.h"

namespace lapse::engine {

// A new version of an item.
struct NewVersion {
  std::string_view head_key;
  std::string_view document;
  std::optional<int32_t> own_ttl;
  IndexingDirective indexing = IndexingDirective::kDefault;
  Lsn lsn = 0;
  const HeadRecord* replaces = nullptr;  // null: the item is created, under a new number
};

// Stores the records of the version, removes those of the version that it replaces, and calls all followers. Returns
// the new head. `before` is the side before, if any.
Result<HeadRecord> StoreVersion(const NewVersion& version, const ItemImage& before, Transaction* transaction);

// The cause and time of a removal.
struct Removal {
  ItemChange::Kind why = ItemChange::Kind::kDelete;
  Lsn lsn = 0;
  int64_t time_ms = 0;      // when it became invisible
  bool before_log = false;  // before the change log began
};

// Removes all records of an item and calls all followers. The item was deleted, or it had expired and was not yet
// accounted for.
Status RemoveItem(std::string_view head_key, const ItemImage& item, const Removal& removal, Transaction* transaction);
// The same for an item that is deleted now, or that expired when its lifetime says.
Status RemoveItem(std::string_view head_key, const ItemImage& item, ItemChange::Kind why, Lsn lsn,
                  Transaction* transaction);

}  // namespace lapse::engine
