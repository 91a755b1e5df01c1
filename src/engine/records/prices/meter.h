// The bill of one request, as the operations see it that are charged.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace lapse::engine {

// Threads: one at a time.
class MeterInterface {
 public:
  virtual ~MeterInterface() = default;

  // In thousandths of a request unit. Once.
  virtual void Charge(int64_t milli_ru) = 0;
  // The same for what came to nothing.
  virtual void ChargeRefused(const Status& refused) = 0;
};

}  // namespace lapse::engine
