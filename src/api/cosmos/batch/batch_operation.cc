#include "api/cosmos/batch/batch_operation.h"

#include "api/cosmos/batch/batch_json.h"
#include "api/cosmos/batch/batch_rows.h"

namespace lapse::api::cosmos {

Status ReadBatchBody(std::string_view bytes, BatchBody* body) {
  if (bytes.size() > kBatchBytesMax) {
    return Status(Code::kTooLarge,
                  "Request size is too large. A batch may have " + std::to_string(kBatchBytesMax) + " bytes.");
  }
  if (IsHybridRow(bytes)) {
    body->form = BatchForm::kHybridRow;
    LAPSE_RETURN_IF_ERROR(ReadBatchRows(bytes, &body->operations));
  } else {
    LAPSE_RETURN_IF_ERROR(ReadBatchJson(bytes, body));
  }
  if (body->operations.empty()) return Status(Code::kInvalidArgument, "Batch request has no operations.");
  return Status::Ok();
}

Status WrongBatch(std::string_view what) {
  return {Code::kInvalidArgument, "The batch is invalid: " + std::string(what)};
}

Status WrongBatchOperation(size_t at, std::string_view what) {
  return WrongBatch("operation " + std::to_string(at + 1) + ": " + std::string(what));
}

Status CheckBatchOperation(const BatchOperation& operation, size_t at) {
  using engine::WriteKind;
  const bool needs_id = operation.kind != WriteKind::kCreate && operation.kind != WriteKind::kUpsert;
  if (needs_id && operation.id.empty()) return WrongBatchOperation(at, "it needs an 'id'.");
  const bool needs_resource = operation.kind != WriteKind::kRead && operation.kind != WriteKind::kDelete;
  if (needs_resource && !operation.has_resource()) return WrongBatchOperation(at, "it needs a 'resourceBody'.");
  return Status::Ok();
}

Status TooManyBatchOperations() {
  return {Code::kInvalidArgument, "Batch request has more operations than what is supported."};
}

}  // namespace lapse::api::cosmos
