// Shrinks a failing case: makes its choices fewer and smaller as long as it still fails.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace lapse::query_tests {

using Made = std::vector<uint32_t>;

// Tries at most `tries` cases.
inline Made Shrink(Made made, int tries, const std::function<bool(const Made&)>& fails) {
  const auto attempt = [&](const Made& smaller) {
    if (tries <= 0) return false;
    --tries;
    if (!fails(smaller)) return false;
    made = smaller;
    return true;
  };
  bool better = true;
  while (better && tries > 0) {
    better = false;
    // Leaves out a run of choices, long runs first.
    for (size_t run = std::max<size_t>(1, made.size() / 2); run > 0; run /= 2) {
      for (size_t at = 0; at + run <= made.size() && tries > 0;) {
        Made smaller = made;
        smaller.erase(smaller.begin() + static_cast<ptrdiff_t>(at), smaller.begin() + static_cast<ptrdiff_t>(at + run));
        if (attempt(smaller)) {
          better = true;
        } else {
          at += run;
        }
      }
    }
    // Replaces one choice by the simplest or by a smaller one.
    for (size_t at = 0; at < made.size() && tries > 0; ++at) {
      for (const uint32_t value : {uint32_t{0}, made[at] / 2, made[at] - 1}) {
        if (made[at] == 0 || value >= made[at]) continue;
        Made smaller = made;
        smaller[at] = value;
        if (attempt(smaller)) better = true;
      }
    }
  }
  return made;
}

}  // namespace lapse::query_tests
