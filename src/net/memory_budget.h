// The memory that all connections together may hold for requests that come in and answers that wait to be sent.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "base/burst.h"

namespace lapse::net {

// Threads: any.
class MemoryBudget {
 public:
  explicit MemoryBudget(size_t bytes_max) : bytes_max_(bytes_max) {}

  size_t held() const { return held_.load(std::memory_order_relaxed); }

  // True once after each burst: much was held, and little of it is left. The moment to give memory back.
  bool TakeCalm() { return burst_.TakeEnd(held()); }

 private:
  friend class MemoryShare;

  bool TryTake(size_t bytes);
  void Take(size_t bytes);
  void Give(size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }

  const size_t bytes_max_;
  std::atomic<size_t> held_{0};
  Burst burst_;
};

// What one buffer, or a few that belong together, count for.
// Threads: one at a time. Gives back what it counts for when it goes.
class MemoryShare {
 public:
  // Up to this size a share counts for nothing, so that ordinary requests touch no counter that threads share. The
  // number of connections bounds what that comes to.
  static constexpr size_t kFreeBytes = 16 * 1024;

  explicit MemoryShare(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  ~MemoryShare() { Fit(0); }
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

  // Counts for so many bytes from now on. False, and nothing has changed, when the budget does not have them.
  bool TryFit(size_t bytes);
  // The same for memory that is there already and cannot be refused.
  void Fit(size_t bytes);

 private:
  const std::shared_ptr<MemoryBudget> budget_;
  size_t counted_bytes_ = 0;
};

}  // namespace lapse::net
