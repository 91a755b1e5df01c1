// Loads a partition's tally and erasures from the store.
#pragma once

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"

namespace lapse::engine {

// Fails: kNotFound if the container was deleted; kCorruption; what the store says.
Result<PartitionTally> LoadTally(store::Shard* store, PartitionId partition);
Result<PartitionTally> LoadTallyAt(const store::Snapshot& snapshot, store::Shard* store, PartitionId partition);

}  // namespace lapse::engine
