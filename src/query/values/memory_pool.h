// What all queries together may hold. Each arena takes its chunks from it.
#pragma once

#include <atomic>
#include <cstddef>

namespace lapse::query {

// Threads: any.
class MemoryPool {
 public:
  explicit MemoryPool(size_t bytes_max) : bytes_max_(bytes_max) {}

  // False: there is not so much left, and nothing was taken.
  bool Take(size_t bytes) {
    size_t held = held_.load(std::memory_order_relaxed);
    do {
      if (bytes > bytes_max_ - held) return false;
    } while (!held_.compare_exchange_weak(held, held + bytes, std::memory_order_relaxed));
    return true;
  }
  void Give(size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }

  size_t held() const { return held_.load(std::memory_order_relaxed); }
  size_t bytes_max() const { return bytes_max_; }

 private:
  const size_t bytes_max_;
  std::atomic<size_t> held_{0};  // never above bytes_max_
};

}  // namespace lapse::query
