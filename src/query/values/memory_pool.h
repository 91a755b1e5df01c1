// The memory that all queries together may hold, or all threads that work on one query. Each arena takes its chunks
// from it.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/burst.h"

namespace lapse::query {

// Threads: any.
class MemoryPool {
 public:
  explicit MemoryPool(size_t bytes_max) : bytes_max_(bytes_max) {}
  // Makes a pool for some arenas, or for one purpose, as a part of another. What it takes is taken from `of`, too;
  // null: from no other pool.
  struct Part {
    MemoryPool* of;
  };
  MemoryPool(size_t bytes_max, Part part) : bytes_max_(bytes_max), of_(part.of), is_part_(true) {}
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Returns false, taking nothing, if there is not that much left.
  bool Take(size_t bytes) {
    size_t held = held_.load(std::memory_order_relaxed);
    do {
      if (bytes > bytes_max_ - held) return false;
    } while (!held_.compare_exchange_weak(held, held + bytes, std::memory_order_relaxed));
    if (!is_part_) burst_.Note(held + bytes);
    if (of_ == nullptr || of_->Take(bytes)) return true;
    held_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  void Give(size_t bytes) {
    held_.fetch_sub(bytes, std::memory_order_relaxed);
    if (of_ != nullptr) of_->Give(bytes);
  }

  // Call it a few times a second. Returns true once after queries held much memory and hold little now.
  bool TakeCalm() { return burst_.TakeEnd(held()); }

  // Whether this is a part whose own remainder is less than that.
  bool IsPartWithout(size_t bytes) const { return is_part_ && bytes > left(); }

  size_t held() const { return held_.load(std::memory_order_relaxed); }
  size_t bytes_max() const { return bytes_max_; }
  size_t left() const { return bytes_max_ - held(); }

 private:
  const size_t bytes_max_;
  MemoryPool* const of_ = nullptr;
  const bool is_part_ = false;
  std::atomic<size_t> held_{0};  // never above bytes_max_
  // Successive large queries reuse the same memory. It is released when no more of them come.
  static constexpr int kCalmLooks = 8;
  Burst burst_{kCalmLooks};  // only if it is not a part
};

}  // namespace lapse::query
