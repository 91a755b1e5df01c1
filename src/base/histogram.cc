#include "base/histogram.h"

#include <algorithm>

namespace lapse {
namespace {

constexpr int64_t kMicrosecond_ns = 1000;
constexpr double kSecond_ns = 1e9;
constexpr double kMillisecond_us = 1000;

}  // namespace

void Histogram::Record(int64_t duration_ns) {
  duration_ns = std::max<int64_t>(duration_ns, 0);
  // A bucket includes its upper bound, so fractions of a microsecond are rounded up.
  const int64_t duration_us = (duration_ns + kMicrosecond_ns - 1) / kMicrosecond_ns;
  const auto step = std::lower_bound(kBounds_us.begin(), kBounds_us.end(), duration_us);
  counts_[static_cast<size_t>(step - kBounds_us.begin())].fetch_add(1, std::memory_order_relaxed);
  sum_ns_.fetch_add(duration_ns, std::memory_order_relaxed);
}

Histogram::Reading Histogram::Read() const {
  Reading reading;
  for (size_t step = 0; step < counts_.size(); ++step) {
    reading.count += counts_[step].load(std::memory_order_relaxed);
    if (step < reading.up_to.size()) reading.up_to[step] = reading.count;
  }
  reading.sum_s = static_cast<double>(sum_ns_.load(std::memory_order_relaxed)) / kSecond_ns;
  return reading;
}

double Histogram::Reading::QuantileMs(double q) const {
  if (count == 0) return 0;
  const double rank = std::clamp(q, 0.0, 1.0) * static_cast<double>(count);
  int64_t below = 0;
  int64_t begin_us = 0;
  for (size_t step = 0; step < up_to.size(); ++step) {
    if (up_to[step] > below && static_cast<double>(up_to[step]) >= rank) {
      const double part = (rank - static_cast<double>(below)) / static_cast<double>(up_to[step] - below);
      const double within_us = static_cast<double>(kBounds_us[step] - begin_us) * std::max(part, 0.0);
      return (static_cast<double>(begin_us) + within_us) / kMillisecond_us;
    }
    below = up_to[step];
    begin_us = kBounds_us[step];
  }
  return static_cast<double>(kBounds_us.back()) / kMillisecond_us;
}

}  // namespace lapse
