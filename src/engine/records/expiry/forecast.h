// When the live items of a container will expire: counts per time step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/records/ids/count.h"

namespace lapse::engine {

// `count` steps of equal length, beginning with the current second.
struct ForecastSteps {
  int64_t step_s = 1;
  size_t count = 0;
};

// All counts together are the live items.
struct Forecast {
  int64_t from_s = 0;
  // Step i has the deadlines after from_s + i * step_s, up to and including from_s + (i + 1) * step_s.
  std::vector<Count> steps;
  Count later;  // a deadline beyond the last step
  Count never;  // no deadline

  // Adds a forecast of other items with the same steps and start.
  Forecast& operator+=(const Forecast& other) {
    for (size_t i = 0; i < steps.size(); ++i) steps[i] += other.steps[i];
    later += other.later;
    never += other.never;
    return *this;
  }
};

}  // namespace lapse::engine
