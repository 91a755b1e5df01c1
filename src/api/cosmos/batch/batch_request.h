// A request with a batch: what its headers and its body say, and where it goes.
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
  // Of one operation, by its own wish or that of the request.
  bool minimal(const BatchOperation& operation) const;
};
// Shared, since the engine keeps copyable functions.
using BatchRequestPtr = std::shared_ptr<BatchRequest>;

// batch.cc: the operations stand or fall together.
void RunAtomically(BatchRequestPtr request);
// bulk.cc: each stands for itself.
void RunBulk(BatchRequestPtr request);

// That what is read in the batch shows all that the client has seen of the partition. Fails: kInvalidArgument,
// kSessionNotAvailable.
Status CheckSession(const BatchRequest& request, const engine::Partition& partition);

// Sends the results, with the session of the partition that they are from.
void SendBatchResults(const BatchRequest& request, const engine::Partition& partition,
                      const std::vector<BatchResult>& results);

// The key of an operation is another than the request's.
Status OtherKeyInBatch();

}  // namespace lapse::api::cosmos
