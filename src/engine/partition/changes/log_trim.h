// Drops the changes of a log that are past their retention.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "engine/partition/transaction/transaction.h"

namespace lapse::engine {

struct LogTrim {
  bool trimmed = false;  // the tally's log floor has risen
  // When the next trim is due for the first change left; nullopt: no change is left.
  std::optional<int64_t> due_ms;
  // When the next trim is due, regardless of writes until then; nullopt: never.
  std::optional<int64_t> next_ms;
};

// Raises the log floor in the transaction's tally, if due. Writes nothing else: changes under the floor count as gone.
Result<LogTrim> TrimLog(Transaction* transaction);

}  // namespace lapse::engine
