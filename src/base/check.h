// Assertions that stay in every build: for invariants that readers believe, checked where that costs nothing
// measurable.
#pragma once

namespace lapse {

// Logs what does not hold, with its place, and ends the process.
[[noreturn]] [[gnu::cold]] void FailCheck(const char* what, const char* file, int line);

}  // namespace lapse

// Ends the process if the condition does not hold. `what` says what should.
#define LAPSE_CHECK(condition, what)                  \
  do {                                                \
    if (!(condition)) [[unlikely]]                    \
      ::lapse::FailCheck((what), __FILE__, __LINE__); \
  } while (false)
