// Deletes a whole logical partition, serialized with the commits of its partition.
#pragma once

#include "engine/records/items/item_write.h"
#include "engine/records/partition_key/partition_key.h"

namespace lapse::engine {

class Transaction;

// Makes one small write, regardless of the number of items. The outcome has one entry, with the price and the LSN.
// Fails: kThrottled if the partition already has the maximum number of erasures.
AtomicOutcome EraseKey(const LogicalKey& key, Transaction* transaction);

}  // namespace lapse::engine
