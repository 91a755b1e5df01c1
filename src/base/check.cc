#include "base/check.h"

#include <cstdlib>

#include "base/log.h"

namespace lapse {

void FailCheck(const char* what, const char* file, int line) {
  Log(LogLevel::kError, "an invariant does not hold: the server ends before it writes anything false",
      {{"what", what}, {"file", file}, {"line", static_cast<int64_t>(line)}});
  std::abort();
}

}  // namespace lapse
