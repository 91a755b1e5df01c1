// Applies the operations of one write in a transaction: all of them, or none.
#pragma once

#include <vector>

#include "engine/commit/item_write.h"
#include "engine/commit/transaction.h"

namespace lapse::engine {

// Whether the operation itself needs the document that it changes.
DocumentBefore DocumentBeforeFor(const ItemWrite& operation);

// On failure the transaction is as it was. The documents stay with the operations, but for those that patches made:
// these are in the outcome.
AtomicOutcome ApplyWrite(const std::vector<ItemWrite>& operations, Transaction* transaction);

}  // namespace lapse::engine
