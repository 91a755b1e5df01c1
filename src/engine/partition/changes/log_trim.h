// Gives up the changes of a log that are older than they are to be kept.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "engine/partition/transaction/transaction.h"

namespace lapse::engine {

struct LogTrim {
  bool trimmed = false;  // the tally's log floor has risen
  // When the log is trimmed next because of the first change that is left; nullopt: there is none.
  std::optional<int64_t> due_ms;
  // When the log is to be trimmed next, whatever is written meanwhile; nullopt: never.
  std::optional<int64_t> next_ms;
};

// Raises the log floor in the transaction's tally, where that is due. Writes nothing else: what is under the floor is
// gone.
Result<LogTrim> TrimLog(Transaction* transaction);

}  // namespace lapse::engine
