// Applies the operations of one write in a transaction: all of them, or none.
#pragma once

#include <vector>

#include "engine/partition/transaction/transaction.h"
#include "engine/records/items/item_write.h"

namespace lapse::engine {

// Returns whether the operation itself needs the document that it changes.
DocumentBefore DocumentBeforeFor(const ItemWrite& operation);

// Returns true if the outcome has a document of its own, rather than the one that the operation brought.
inline bool HasOwnDocument(const ItemWrite& operation) {
  return operation.kind == WriteKind::kPatch || operation.kind == WriteKind::kRead;
}

// Leaves the transaction unchanged on failure. Documents stay with the operations, except those that patches made and
// reads found: these are in the outcome. `rules` may be null.
AtomicOutcome ApplyWrite(const std::vector<ItemWrite>& operations, AtomicRules* rules, Transaction* transaction);

}  // namespace lapse::engine
