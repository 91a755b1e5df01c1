// Saturating arithmetic on times. A lifetime too long for the clock must become "never", not wrap to "long ago".
#pragma once

#include <cstdint>
#include <limits>

namespace lapse::ttl {

constexpr int64_t kMsPerSecond = 1000;
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();

constexpr int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? kInt64Max : kInt64Min;
}

constexpr int64_t SaturatingSecondsToMs(int64_t seconds) {
  int64_t ms = 0;
  if (!__builtin_mul_overflow(seconds, kMsPerSecond, &ms)) return ms;
  return seconds > 0 ? kInt64Max : kInt64Min;
}

}  // namespace lapse::ttl
