// A histogram of durations with fixed buckets, from which a reader can tell the median and the 99th percentile.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lapse {

// Threads: any. Recording takes no lock.
class Histogram {
 public:
  // Inclusive upper bounds of the buckets. Longer durations count in `count` alone.
  static constexpr std::array<int64_t, 16> kBounds_us = {100,       250,       500,       1'000,     2'500,   5'000,
                                                         10'000,    25'000,    50'000,    100'000,   250'000, 500'000,
                                                         1'000'000, 2'500'000, 5'000'000, 10'000'000};

  struct Reading {
    std::array<int64_t, kBounds_us.size()> up_to{};  // by bucket, cumulative
    int64_t count = 0;                               // all durations, including those beyond the last bucket
    double sum_s = 0;

    // Returns an upper bound of quantile `q` (0 to 1) in milliseconds, interpolated within its bucket. Returns the last
    // bound if the quantile lies beyond it, and 0 if nothing was recorded.
    double QuantileMs(double q) const;
  };

  // Counts a negative duration as zero.
  void Record(int64_t duration_ns);
  // Every duration is counted at most once. Those recorded during the call may be missing.
  Reading Read() const;

 private:
  std::array<std::atomic<int64_t>, kBounds_us.size() + 1> counts_{};
  std::atomic<int64_t> sum_ns_{0};
};

}  // namespace lapse
