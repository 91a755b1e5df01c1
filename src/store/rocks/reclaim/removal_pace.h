// How much of the disk's time the removal of tables may take (table_removal.h).
#pragma once

#include <chrono>
#include <cstdint>

namespace lapse::store {

struct RemovalPace {
  // Time that prompt removals may take at a stretch, and the share of time in which it is regained: of a hundred writes
  // less than one meets such a removal.
  std::chrono::nanoseconds allowance = std::chrono::milliseconds(400);
  double regained_share = 0.005;
  // What is removed between two rests, and the size up to which a table is not worth any.
  uint64_t piece_bytes = 1 << 20;
  uint64_t small_bytes = 4 << 20;
};

}  // namespace lapse::store
