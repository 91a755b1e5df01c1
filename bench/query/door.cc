#include "bench/query/door.h"

#include <string>

#include "bench/measure/report.h"

namespace lapse::bench {

void CheckResult(const QueryCall& call, const DoorResult& result) {
  if (result.rows == call.rows && (call.value < 0 || result.value == call.value)) return;
  Fail(std::string(call.query->name) + " gave " + std::to_string(result.rows) + " rows and " +
       std::to_string(result.value) + ", not " + std::to_string(call.rows) + " and " + std::to_string(call.value));
}

}  // namespace lapse::bench
