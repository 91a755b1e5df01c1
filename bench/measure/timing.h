// Elapsed time, and its distribution over many operations.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapse::bench {

inline int64_t SteadyNs() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

class Stopwatch {
 public:
  int64_t ns() const { return SteadyNs() - begin_ns_; }
  double seconds() const { return static_cast<double>(ns()) / 1e9; }

 private:
  int64_t begin_ns_ = SteadyNs();
};

// CPU time of the calling thread. For work that never waits, it does not include other load on the machine.
class CpuStopwatch {
 public:
  int64_t ns() const { return Now() - begin_ns_; }

 private:
  static int64_t Now() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
  }

  int64_t begin_ns_ = Now();
};

// Keeps every latency, so percentiles are exact. Threads: one.
class Latencies {
 public:
  void Reserve(size_t count) { values_ns_.reserve(count); }
  void Add(int64_t ns) { values_ns_.push_back(ns); }
  void Append(const Latencies& other) {
    values_ns_.insert(values_ns_.end(), other.values_ns_.begin(), other.values_ns_.end());
  }

  // `share` from 0 (the least) to 1 (the most). Returns zero if nothing was added.
  int64_t Percentile(double share) {
    if (values_ns_.empty()) return 0;
    auto rank = static_cast<ptrdiff_t>(share * static_cast<double>(values_ns_.size() - 1));
    std::nth_element(values_ns_.begin(), values_ns_.begin() + rank, values_ns_.end());
    return values_ns_[static_cast<size_t>(rank)];
  }

 private:
  std::vector<int64_t> values_ns_;
};

}  // namespace lapse::bench
