// Applies the operations of one write in a transaction: all of them, or none.
#pragma once

#include <vector>

#include "engine/partition/transaction/transaction.h"
#include "engine/records/items/item_write.h"

namespace lapse::engine {

// Whether the operation itself needs the document that it changes.
DocumentBefore DocumentBeforeFor(const ItemWrite& operation);

// Whether the document of its outcome is its own, and not the one that the operation brought.
inline bool HasOwnDocument(const ItemWrite& operation) {
  return operation.kind == WriteKind::kPatch || operation.kind == WriteKind::kRead;
}

// On failure the transaction is as it was. The documents stay with the operations, but for those that patches made and
// reads found: these are in the outcome. `rules` may be null.
AtomicOutcome ApplyWrite(const std::vector<ItemWrite>& operations, AtomicRules* rules, Transaction* transaction);

}  // namespace lapse::engine
