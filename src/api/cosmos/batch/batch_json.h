// Batches as JSON: `[{"operationType":"Create","resourceBody":{...}}, ...]`, and their results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/cosmos/batch/batch_operation.h"
#include "api/cosmos/batch/batch_result.h"
#include "base/status.h"

namespace lapse::api::cosmos {

// Ignores unknown members of an operation. Optional members may be null. Fails: kInvalidArgument.
Status ReadBatchJson(std::string_view json, BatchBody* body);

void AppendBatchJson(const std::vector<BatchResult>& results, std::string* json);

}  // namespace lapse::api::cosmos
