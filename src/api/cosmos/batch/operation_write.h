// From an operation of a batch to a write of the engine, and from what became of it to its result.
#pragma once

#include <vector>

#include "api/cosmos/batch/batch_operation.h"
#include "api/cosmos/batch/batch_result.h"
#include "api/cosmos/partition_key/partition_key_values.h"
#include "engine/catalog/containers/container.h"

namespace lapse::api::cosmos {

// The operation as a write under this key. What is wrong with it alone (its id, item, patch, etags) is in the write's
// `refusal`.
engine::ItemWrite WriteOfOperation(const BatchOperation& operation, const PartitionKeyValues& key,
                                   const engine::Container& container);

// Whether its result shows the item.
bool ShowsItem(engine::WriteKind kind, bool minimal);

// Of an operation that was done.
BatchResult ResultOf(const engine::Container& container, engine::WriteKind kind, bool minimal,
                     const engine::ItemWritten& written);

}  // namespace lapse::api::cosmos
