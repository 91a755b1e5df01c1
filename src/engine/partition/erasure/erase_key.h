// Deletes a whole logical partition, in the commit order of its partition.
#pragma once

#include "engine/records/items/item_write.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

class Transaction;

// One small write, whatever the number of items. The outcome has the price and the LSN in its only member. Fails:
// kThrottled when the partition has as many erasures as it may.
AtomicOutcome EraseKey(const LogicalKey& key, Transaction* transaction);

}  // namespace lapse::engine
