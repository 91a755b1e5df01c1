// The bill of one request, as its operations see it.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace lapse::engine {

// Threads: one at a time.
class Meter {
 public:
  virtual ~Meter() = default;

  // In thousandths of a request unit. To be called once.
  virtual void Charge(int64_t milli_ru) = 0;
  // The same for an operation that was refused.
  virtual void ChargeRefused(const Status& refused) = 0;
};

}  // namespace lapse::engine
