#include "api/cosmos/query/query_error.h"

#include "query/functions/eval_context.h"

namespace lapse::api::cosmos {

ApiError QueryError(const Status& status) {
  ApiError error = FromStatus(status);
  if (status.code() == Code::kInvalidArgument) {
    // Either a list of errors with their positions, or a single text.
    const bool is_list = status.message().starts_with('{');
    error.message = is_list ? "Message: " + status.message() : StorageMessage(status.message());
  }
  const Status in_use = query::PoolInUse();
  if (status.code() == in_use.code() && status.message() == in_use.message()) error.message = in_use.message();
  return error;
}

ApiError PlanError(const Status& status) {
  ApiError error = QueryError(status);
  if (status.code() == Code::kInvalidArgument)
    error.message = "Gateway Failed to Retrieve Query Plan: " + error.message;
  return error;
}

ApiError CrossPartitionDisabled() {
  return {
      400, 0, "BadRequest",
      "Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, "
      "specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception."};
}

}  // namespace lapse::api::cosmos
