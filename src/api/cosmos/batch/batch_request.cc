#include "api/cosmos/batch/batch_request.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/cosmos/batch/handlers.h"
#include "api/cosmos/items/item_request.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/session_token.h"
#include "engine/shard/partitions/partition.h"

namespace lapse::api::cosmos {
namespace {

Status Read(BatchRequest* request) {
  Call& call = *request->call;
  LAPSE_RETURN_IF_ERROR(RefuseTriggers(call.request()));
  LAPSE_RETURN_IF_ERROR(ReadBatchBody(call.request().body, &request->body));
  // The header applies to every operation that does not override it.
  const std::string_view indexing = call.request().Header("x-ms-indexing-directive");
  LAPSE_RETURN_IF_ERROR(IndexingDirectiveFrom(indexing).status());
  for (BatchOperation& operation : request->body.operations) {
    if (operation.indexing_directive.empty()) operation.indexing_directive = indexing;
  }
  if (!request->only_reads()) LAPSE_RETURN_IF_ERROR(call.may_write());
  call.response().set_safe(request->only_reads());
  return Status::Ok();
}

}  // namespace

bool BatchRequest::only_reads() const {
  return std::all_of(body.operations.begin(), body.operations.end(),
                     [](const BatchOperation& one) { return one.only_reads(); });
}

bool BatchRequest::reads() const {
  return std::any_of(body.operations.begin(), body.operations.end(),
                     [](const BatchOperation& one) { return one.only_reads(); });
}

bool BatchRequest::minimal(const BatchOperation& operation) const {
  return operation.minimal || WantsMinimal(call->request());
}

Status CheckSession(const BatchRequest& request, const engine::Partition& partition) {
  if (!request.reads()) return Status::Ok();
  return CheckSession(request.call->request().Header("x-ms-session-token"), partition.number(), partition.last_lsn());
}

void SendBatchResults(const BatchRequest& request, const engine::Partition& partition,
                      const std::vector<BatchResult>& results) {
  Call& call = *request.call;
  std::string token;
  AppendSessionToken(partition.number(), partition.last_lsn(), &token);
  call.AddSession(*request.container, token);
  int64_t milli_ru = 0;
  for (const BatchResult& one : results) milli_ru += one.milli_ru;
  AppendBatchResults(results, request.body.form, &call.body());
  if (request.body.form == BatchForm::kHybridRow) call.set_content_type("application/octet-stream");
  call.Send(StatusOf(results), milli_ru);
}

Status OtherKeyInBatch() {
  return {Code::kInvalidArgument,
          "One or more operations within the batch request have a different partition key value than the request."};
}

void RunBatch(CallPtr call) {
  Result<engine::ContainerPtr> container = FindContainer(*call);
  if (!container.ok()) return call->Fail(OwnerMissing(container.status()));
  auto request = std::make_shared<BatchRequest>(std::move(call), *std::move(container));
  if (Status read = Read(request.get()); !read.ok()) return request->call->Fail(read);
  const Result<bool> atomic = YesOrNo(request->call->request(), "x-ms-cosmos-batch-atomic");
  if (!atomic.ok()) return request->call->Fail(atomic.status());
  if (*atomic) return RunAtomically(std::move(request));
  RunBulk(std::move(request));
}

}  // namespace lapse::api::cosmos
