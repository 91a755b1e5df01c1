#include "api/cosmos/batch/answer_limit.h"

#include "api/cosmos/wire/system_properties.h"
#include "engine/partition/commit/apply_write.h"

namespace lapse::api::cosmos {
namespace {

// No JSON value grows by more than this when it is printed: a control character becomes \u0001.
constexpr size_t kGrowthMax = 6;
// Size of an item's system properties.
constexpr size_t kSystem_bytes = 512;

const std::string& DocumentOf(const engine::ItemWrite& operation, const engine::ItemWritten& written) {
  return engine::HasOwnDocument(operation) ? written.document : operation.document;
}

}  // namespace

Status BatchAnswerTooLarge() {
  return {Code::kTooLarge, "The answer to the batch would be larger than 4 MB."};
}

size_t AnswerLimit::ExactBytes(const engine::ItemWrite& operation, const engine::ItemWritten& written) const {
  std::string json;
  if (!written.unchanged) AppendItemJson(*container_, written.meta, DocumentOf(operation, written), &json);
  return json.size() + kAroundResult_bytes;
}

// Only responses that may be too large pay for printing.
Status AnswerLimit::AfterOperation(const std::vector<engine::ItemWrite>& operations,
                                   const std::vector<engine::ItemWritten>& written) {
  const size_t last = written.size() - 1;
  most_bytes_ += kAroundResult_bytes;
  if (shows_[last]) most_bytes_ += kGrowthMax * DocumentOf(operations[last], written[last]).size() + kSystem_bytes;
  if (exact_bytes_ + most_bytes_ <= kBatchAnswerBytesMax) return Status::Ok();
  for (; counted_ < written.size(); ++counted_) {
    exact_bytes_ += shows_[counted_] ? ExactBytes(operations[counted_], written[counted_]) : kAroundResult_bytes;
  }
  most_bytes_ = 0;
  if (exact_bytes_ <= kBatchAnswerBytesMax) return Status::Ok();
  passed_ = true;
  return BatchAnswerTooLarge();
}

}  // namespace lapse::api::cosmos
