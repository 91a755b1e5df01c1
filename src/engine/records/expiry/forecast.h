// When the live items of a container will expire: counts by steps of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/records/ids/count.h"

namespace lapse::engine {

// So many steps of equal length, from the second of now on.
struct ForecastSteps {
  int64_t step_s = 1;
  size_t count = 0;
};

// All of it together is what lives.
struct Forecast {
  int64_t from_s = 0;
  // Step i: deadlines after from_s + i * step_s, up to and with from_s + (i + 1) * step_s.
  std::vector<Count> steps;
  Count later;  // a deadline beyond the last step
  Count never;  // no deadline

  // The same steps from the same second on, of other items.
  Forecast& operator+=(const Forecast& other) {
    for (size_t i = 0; i < steps.size(); ++i) steps[i] += other.steps[i];
    later += other.later;
    never += other.never;
    return *this;
  }
};

}  // namespace lapse::engine
