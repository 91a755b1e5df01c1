// The result of one operation of a batch, as the client sees it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/cosmos/batch/batch_operation.h"
#include "api/cosmos/wire/errors.h"

namespace lapse::api::cosmos {

struct BatchResult {
  int status = 424;  // 424: not run, or rolled back, because of another operation
  int substatus = 0;
  int64_t milli_ru = 0;
  int64_t retry_after_ms = 0;
  std::string etag;       // with its quotes; empty: none
  std::string resource;   // JSON; empty: none
  std::string message;    // of an error
  std::string_view name;  // of an error: its code in words

  static BatchResult Of(const ApiError& error, int64_t milli_ru);
};

// Returns 200 if all operations succeeded, else 207.
int StatusOf(const std::vector<BatchResult>& results);
// Appends the body of the response.
void AppendBatchResults(const std::vector<BatchResult>& results, BatchForm form, std::string* body);

}  // namespace lapse::api::cosmos
