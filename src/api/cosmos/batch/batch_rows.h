// Batches in HybridRow, as .NET clients send them, and their results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/cosmos/batch/batch_operation.h"
#include "api/cosmos/batch/batch_result.h"
#include "base/status.h"

namespace lapse::api::cosmos {

// Decides by the first byte, which no JSON text has.
bool IsHybridRow(std::string_view bytes);

// The views of the operations point into `bytes`. Fails: kInvalidArgument.
Status ReadBatchRows(std::string_view bytes, std::vector<BatchOperation>* operations);

void AppendBatchRows(const std::vector<BatchResult>& results, std::string* out);

}  // namespace lapse::api::cosmos
