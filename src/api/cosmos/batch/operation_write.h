// Converts an operation of a batch to a write of the engine, and its outcome to a result.
#pragma once

#include <vector>

#include "api/cosmos/batch/batch_operation.h"
#include "api/cosmos/batch/batch_result.h"
#include "api/cosmos/partition_key/partition_key_values.h"
#include "engine/catalog/containers/container.h"

namespace lapse::api::cosmos {

// Returns the operation as a write under this key. The write's `refusal` holds any error of the operation itself (its
// id, item, patch, etags).
engine::ItemWrite WriteOfOperation(const BatchOperation& operation, const PartitionKeyValues& key,
                                   const engine::Container& container);

// Whether its result contains the item.
bool ShowsItem(engine::WriteKind kind, bool minimal);

// Returns the result of a successful operation.
BatchResult ResultOf(const engine::Container& container, engine::WriteKind kind, bool minimal,
                     const engine::ItemWritten& written);

}  // namespace lapse::api::cosmos
