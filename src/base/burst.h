// Memory that was held for a time. When most of it is gone, and stays so, the moment has come to give pages back to the
// system: not earlier, since who needs them again pays for each.
#pragma once

#include <atomic>
#include <cstddef>

namespace lapse {

// Threads: any.
class Burst {
 public:
  // Less than this is not worth a walk through the heap.
  static constexpr size_t kBytesMin = size_t{32} << 20;
  // It is over when this part of it is left.
  static constexpr size_t kCalmDivisor = 4;

  // So many looks in a row must find it over.
  explicit Burst(int looks_min = 1) : looks_min_(looks_min) {}

  // To be called whenever more is held than before: so much.
  void Note(size_t held) {
    if (held < kBytesMin) return;
    size_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < held && !peak_.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
    }
    if (held > peak / kCalmDivisor) looks_.store(0, std::memory_order_relaxed);
  }

  // To be called every now and then, with what is held. True once after each burst.
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
  std::atomic<size_t> peak_{0};  // since the last one was over
  std::atomic<int> looks_{0};    // in a row that found little
};

}  // namespace lapse
