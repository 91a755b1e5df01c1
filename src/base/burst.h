// Detects the end of a burst of memory use. Pages are returned to the system only once most of the memory has been
// freed and stays so, since every page that is needed again costs a fault.
#pragma once

#include <atomic>
#include <cstddef>

namespace lapse {

// Threads: any.
class Burst {
 public:
  // Bursts smaller than this do not justify a walk through the heap.
  static constexpr size_t kBytesMin = size_t{32} << 20;
  // A burst is over when no more than this fraction of its peak is left.
  static constexpr size_t kCalmDivisor = 4;

  // This many consecutive checks must find the burst over.
  explicit Burst(int looks_min = 1) : looks_min_(looks_min) {}

  // Call whenever the amount held has grown. `held` is the new amount.
  void Note(size_t held) {
    if (held < kBytesMin) return;
    size_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < held && !peak_.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
    }
    if (held > peak / kCalmDivisor) looks_.store(0, std::memory_order_relaxed);
  }

  // Call periodically with the amount held. Returns true once after each burst.
  bool TakeEnd(size_t held) {
    size_t peak = peak_.load(std::memory_order_relaxed);
    if (peak < kBytesMin) return false;
    if (held > peak / kCalmDivisor) {
      looks_.store(0, std::memory_order_relaxed);
      return false;
    }
    if (looks_.fetch_add(1, std::memory_order_relaxed) + 1 < looks_min_) return false;
    looks_.store(0, std::memory_order_relaxed);
    return peak_.compare_exchange_strong(peak, held, std::memory_order_relaxed);
  }

 private:
  const int looks_min_;
  std::atomic<size_t> peak_{0};  // since the last burst ended
  std::atomic<int> looks_{0};    // consecutive checks that found little
};

}  // namespace lapse
