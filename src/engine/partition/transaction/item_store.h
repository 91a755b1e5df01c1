// The records of one item: which there are, and how they come and go.
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

// A version of an item that is to be stored.
struct NewVersion {
  std::string_view head_key;
  std::string_view document;
  std::optional<int32_t> own_ttl;
  IndexingDirective indexing = IndexingDirective::kDefault;
  Lsn lsn = 0;
  const HeadRecord* replaces = nullptr;  // null: the item is created, under a new number
};

// Puts the records of the version, takes those of the one that it replaces away, and tells all followers. Answers with
// the new head. `before` is the side before, where there is one.
Result<HeadRecord> StoreVersion(const NewVersion& version, const ItemImage& before, Transaction* transaction);

// How an item goes.
struct Removal {
  ItemChange::Kind why = ItemChange::Kind::kDelete;
  Lsn lsn = 0;
  int64_t time_ms = 0;      // when it became invisible
  bool before_log = false;  // before the change log began
};

// Takes all records of an item away, and tells all followers: it was deleted, or it had expired and nobody had
// accounted for it yet.
Status RemoveItem(std::string_view head_key, const ItemImage& item, const Removal& removal, Transaction* transaction);
// The same for what is deleted now, or expired when its lifetime says.
Status RemoveItem(std::string_view head_key, const ItemImage& item, ItemChange::Kind why, Lsn lsn,
                  Transaction* transaction);

}  // namespace lapse::engine
