// Which cases the query fuzzers run. LAPSE_QUERY_SEED=n replays one and shrinks it if it fails. LAPSE_QUERY_CASES=n
// runs that many, starting at LAPSE_QUERY_FIRST. Without any of these a few are run.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "tests/seeds.h"

namespace lapse::query_tests {

// A fuzzer stops after this many failures.
constexpr int kFailuresMax = 5;

struct FuzzSeeds {
  uint64_t first = 0;
  uint64_t count = 0;

  static FuzzSeeds FromEnvironment(uint64_t few) {
    FuzzSeeds seeds = {tests::NumberFromEnvironment("LAPSE_QUERY_FIRST", 1),
                       tests::NumberFromEnvironment("LAPSE_QUERY_CASES", few)};
    if (std::getenv("LAPSE_QUERY_SEED") != nullptr) seeds = {tests::NumberFromEnvironment("LAPSE_QUERY_SEED", 0), 1};
    return seeds;
  }
};

}  // namespace lapse::query_tests
