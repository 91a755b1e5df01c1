// Which seeds a test runs, from the environment: one variable replays a seed, another says how many to run.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace lapse::tests {

inline uint64_t NumberFromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Seeds {
  uint64_t first = 1;
  uint64_t last = 1;

  // `one` replays that seed. Otherwise `many` gives their number, counted from seed 1, and without it there are `few`.
  static Seeds FromEnvironment(const char* one, const char* many, uint64_t few) {
    const uint64_t only = NumberFromEnvironment(one, 0);
    return only != 0 ? Seeds{only, only} : Seeds{1, NumberFromEnvironment(many, few)};
  }
};

}  // namespace lapse::tests
