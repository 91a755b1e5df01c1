// Applies the operations of one write in a transaction: all of them, or none.
#pragma once

#include <vector>

#include "engine/commit/item_write.h"
#include "engine/commit/transaction.h"

namespace lapse::engine {

// On failure the transaction is as it was. The documents stay with the operations.
AtomicOutcome ApplyWrite(const std::vector<ItemWrite>& operations, Transaction* transaction);

}  // namespace lapse::engine
