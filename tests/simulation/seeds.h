// Which seeds a test of the simulation runs: LAPSE_SIM_SEED=n replays one, LAPSE_SIM_SEEDS=n runs that many. Without
// either it is a few.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace lapse::simulation {

struct Seeds {
  uint64_t first = 1;
  uint64_t last = 20;

  static Seeds FromEnvironment() {
    Seeds seeds;
    if (const char* count = std::getenv("LAPSE_SIM_SEEDS")) seeds.last = std::strtoull(count, nullptr, 10);
    if (const char* only = std::getenv("LAPSE_SIM_SEED")) seeds.first = seeds.last = std::strtoull(only, nullptr, 10);
    return seeds;
  }
};

}  // namespace lapse::simulation
