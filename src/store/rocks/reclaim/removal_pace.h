// The share of the disk's time that removing tables may take (table_removal.h).
#pragma once

#include <chrono>
#include <cstdint>

namespace lapse::store {

struct RemovalPace {
  // Time that prompt removals may use in one burst, and the rate at which it is regained. Fewer than one in a hundred
  // writes meets such a removal.
  std::chrono::nanoseconds allowance = std::chrono::milliseconds(400);
  double regained_share = 0.005;
  // Bytes removed between two rests, and the size up to which a table is removed without a rest.
  uint64_t piece_bytes = 1 << 20;
  uint64_t small_bytes = 4 << 20;
};

}  // namespace lapse::store
