// How many things took how long, counted in fixed steps, so that a reader can tell the median and the slowest
// hundredth.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lapse {

// Threads: any. Recording takes no lock.
class Histogram {
 public:
  // The upper ends of the steps, each with the value itself. What took longer than the last counts as "longer".
  static constexpr std::array<int64_t, 16> kBounds_us = {100,       250,       500,       1'000,     2'500,   5'000,
                                                         10'000,    25'000,    50'000,    100'000,   250'000, 500'000,
                                                         1'000'000, 2'500'000, 5'000'000, 10'000'000};

  struct Reading {
    std::array<int64_t, kBounds_us.size()> up_to{};  // by step, with all the shorter ones
    int64_t count = 0;                               // of all, the longest too
    double sum_s = 0;

    // What the part `q` of all (0 to 1) took at most, in milliseconds: estimated within a step as if its values were
    // spread evenly. The end of the last step when it lies beyond; 0 when nothing was recorded.
    double QuantileMs(double q) const;
  };

  // A clock that was read in the wrong order counts as no time at all.
  void Record(int64_t duration_ns);
  // The numbers belong together as far as each value is counted once; values that are recorded meanwhile may miss.
  Reading Read() const;

 private:
  std::array<std::atomic<int64_t>, kBounds_us.size() + 1> counts_{};
  std::atomic<int64_t> sum_ns_{0};
};

}  // namespace lapse
