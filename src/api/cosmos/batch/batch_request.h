// A batch request: its decoded headers and body, and its destination.
#pragma once

#include <memory>
#include <vector>

#include "api/cosmos/batch/batch_operation.h"
#include "api/cosmos/batch/batch_result.h"
#include "api/cosmos/wire/call.h"
#include "engine/catalog/view/catalog_view.h"

namespace lapse::api::cosmos {

struct BatchRequest {
  BatchRequest(CallPtr asked, engine::ContainerPtr target) : call(std::move(asked)), container(std::move(target)) {}

  const CallPtr call;
  const engine::ContainerPtr container;
  BatchBody body;

  bool only_reads() const;
  bool reads() const;
  // Whether the result of an operation needs no item, by its own wish or that of the request.
  bool minimal(const BatchOperation& operation) const;
};
// Shared, since the engine keeps copyable functions.
using BatchRequestPtr = std::shared_ptr<BatchRequest>;

// batch.cc: the operations succeed or fail together.
void RunAtomically(BatchRequestPtr request);
// bulk.cc: each operation succeeds or fails alone.
void RunBulk(BatchRequestPtr request);

// Checks that reads of the batch include everything the client has seen of the partition. Fails: kInvalidArgument,
// kSessionNotAvailable.
Status CheckSession(const BatchRequest& request, const engine::Partition& partition);

// Sends the results, with the session token of their partition.
void SendBatchResults(const BatchRequest& request, const engine::Partition& partition,
                      const std::vector<BatchResult>& results);

// The error for an operation whose key differs from the request's.
Status OtherKeyInBatch();

}  // namespace lapse::api::cosmos
