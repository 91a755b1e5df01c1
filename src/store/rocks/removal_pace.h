// How much of the disk's time the removal of files may take (paced_file_system.h).
#pragma once

#include <chrono>
#include <cstdint>

namespace lapse::store {

struct RemovalPace {
  // Time that removals may take at a stretch, and the share of time in which it is regained: of a hundred writes less
  // than one meets a removal that does not rest.
  std::chrono::nanoseconds allowance = std::chrono::milliseconds(400);
  double regained_share = 0.005;
  uint64_t piece_bytes = 256 << 10;
};

}  // namespace lapse::store
