// What a store holds of a container beside its records in the catalog, and its removal.
#pragma once

#include <vector>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "store/batch.h"
#include "store/shard.h"

namespace lapse::engine {

// Adds the removal of the partitions' own records to the batch. Fails with the store's errors.
Status RemovePartitionRecords(const std::vector<PartitionId>& partitions, store::Shard* store, store::Batch* batch);

// Also removes everything that the store holds of the container's items.
Status RemoveContents(ContainerId container, const std::vector<PartitionId>& partitions, store::Shard* store,
                      store::Batch* batch);

// The error for a definition with rules that the server does not know.
Status UnknownRule();

}  // namespace lapse::engine
