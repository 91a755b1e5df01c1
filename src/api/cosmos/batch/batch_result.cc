#include "api/cosmos/batch/batch_result.h"

#include <algorithm>

#include "api/cosmos/batch/batch_json.h"
#include "api/cosmos/batch/batch_rows.h"

namespace lapse::api::cosmos {

BatchResult BatchResult::Of(const ApiError& error, int64_t milli_ru) {
  BatchResult result;
  result.status = error.status;
  result.substatus = error.substatus;
  result.milli_ru = milli_ru;
  result.message = error.message;
  result.name = error.name;
  return result;
}

int StatusOf(const std::vector<BatchResult>& results) {
  constexpr int kFirstThatIsNoSuccess = 300;
  const bool well = std::all_of(results.begin(), results.end(),
                                [](const BatchResult& one) { return one.status < kFirstThatIsNoSuccess; });
  return well ? 200 : 207;
}

void AppendBatchResults(const std::vector<BatchResult>& results, BatchForm form, std::string* body) {
  size_t bytes = 0;
  for (const BatchResult& one : results) bytes += one.resource.size() + 200;
  body->reserve(body->size() + bytes);
  if (form == BatchForm::kHybridRow) return AppendBatchRows(results, body);
  AppendBatchJson(results, body);
}

}  // namespace lapse::api::cosmos
