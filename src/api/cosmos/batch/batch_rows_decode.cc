#include <optional>

#include "api/cosmos/batch/batch_rows.h"
#include "api/cosmos/batch/hybrid_row/row_layout.h"
#include "api/cosmos/batch/hybrid_row/row_reader.h"

namespace lapse::api::cosmos {
namespace {

using hybrid_row::RowReader;
using hybrid_row::Type;
using Kind = engine::WriteKind;

// Columns of an operation: bits of its presence byte, then tokens.
constexpr uint8_t kHasKind = 1 << 0, kHasResourceType = 1 << 1, kHasPartitionKey = 1 << 2, kHasEpk = 1 << 3,
                  kHasId = 1 << 4, kHasBinaryId = 1 << 5, kHasResource = 1 << 6, kUnknown = 1 << 7;
constexpr uint64_t kIndexingDirective = 8, kIfMatch = 9, kIfNoneMatch = 10, kTimeToLive = 11, kMinimal = 12,
                   kOperationTokens = 13;
constexpr int32_t kDocumentType = 2;

constexpr char kBinaryJson = '\x80';

std::optional<Kind> KindOf(int32_t number) {
  switch (number) {
    case 0: return Kind::kCreate;
    case 1: return Kind::kPatch;
    case 2: return Kind::kRead;
    case 4: return Kind::kDelete;
    case 5: return Kind::kReplace;
    case 20: return Kind::kUpsert;
    default: return std::nullopt;
  }
}

Status Damaged(size_t at) {
  return WrongBatchOperation(at, "its HybridRow is damaged or has a form that is not known.");
}

Status ReadSparse(RowReader* row, size_t at, BatchOperation* operation) {
  while (row->ok() && !row->AtEnd()) {
    const RowReader::Sparse column = row->TakeSparse(kOperationTokens);
    if (!row->ok()) return Damaged(at);
    if (column.token == kIfMatch || column.token == kIfNoneMatch) {
      if (column.type != Type::kUtf8) return WrongBatchOperation(at, "'ifMatch' and 'ifNoneMatch' must be strings.");
      (column.token == kIfMatch ? operation->if_match : operation->if_none_match) = column.text;
    }
    if (column.token == kIndexingDirective) {
      if (column.type != Type::kUtf8) return WrongBatchOperation(at, "'indexingDirective' must be a string.");
      operation->indexing_directive = column.text;
    }
    if (column.token == kMinimal) {
      if (column.type != Type::kTrue && column.type != Type::kFalse) {
        return WrongBatchOperation(at, "'minimalReturnPreference' must be true or false.");
      }
      operation->minimal = column.type == Type::kTrue;
    }
    if (column.token == kTimeToLive) {
      return WrongBatchOperation(at, "'timeToLiveInSeconds' is not supported; an item has its lifetime in 'ttl'.");
    }
  }
  return row->ok() ? Status::Ok() : Damaged(at);
}

Status ReadOperation(std::string_view bytes, size_t at, BatchOperation* operation) {
  RowReader row(bytes);
  row.Begin(hybrid_row::kOperationSchema);
  const uint8_t has = row.TakeByte();
  if (!row.ok() || (has & kUnknown) != 0) return Damaged(at);
  if ((has & kHasKind) == 0 || (has & kHasResourceType) == 0) {
    return WrongBatchOperation(at, "it needs an 'operationType' and a 'resourceType'.");
  }
  const std::optional<Kind> kind = KindOf(row.TakeInt32());
  const int32_t resource_type = row.TakeInt32();
  if (!row.ok()) return Damaged(at);
  if (!kind.has_value() || resource_type != kDocumentType) {
    return WrongBatchOperation(at, "its 'operationType' or 'resourceType' is not known.");
  }
  operation->kind = *kind;
  if ((has & kHasPartitionKey) != 0) operation->partition_key = row.TakeVariable();
  if ((has & kHasEpk) != 0) row.TakeVariable();
  if ((has & kHasId) != 0) operation->id = row.TakeVariable();
  if ((has & kHasBinaryId) != 0) row.TakeVariable();
  if ((has & kHasResource) != 0) operation->resource_text = row.TakeVariable();
  LAPSE_RETURN_IF_ERROR(ReadSparse(&row, at, operation));
  if (operation->resource_text.starts_with(kBinaryJson)) {
    return WrongBatchOperation(at, "its 'resourceBody' is binary JSON; only text is supported.");
  }
  return CheckBatchOperation(*operation, at);
}

}  // namespace

bool IsHybridRow(std::string_view bytes) {
  return bytes.starts_with(static_cast<char>(hybrid_row::kVersion));
}

Status ReadBatchRows(std::string_view bytes, std::vector<BatchOperation>* operations) {
  RowReader stream(bytes);
  stream.SkipSegment();
  if (!stream.ok()) return WrongBatch("the head of its HybridRow is damaged or has a form that is not known.");
  while (!stream.AtEnd()) {
    const size_t at = operations->size();
    if (at == kBatchOperationsMax) return TooManyBatchOperations();
    const std::string_view row = stream.TakeRecord();
    if (!stream.ok()) return Damaged(at);
    BatchOperation operation;
    LAPSE_RETURN_IF_ERROR(ReadOperation(row, at, &operation));
    operations->push_back(operation);
  }
  return Status::Ok();
}

}  // namespace lapse::api::cosmos
