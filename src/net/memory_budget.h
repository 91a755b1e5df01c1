// The memory that all connections together may hold for incoming requests and unsent answers.
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

  // Returns true once after each burst, when most of what was held has been freed. Memory can then be returned to the
  // system.
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

// The reservation of one buffer, or of a few that belong together. The destructor releases it.
// Threads: one at a time.
class MemoryShare {
 public:
  // A share of up to this size reserves nothing, so that ordinary requests touch no counter shared between threads. The
  // number of connections limits the total.
  static constexpr size_t kFreeBytes = 16 * 1024;

  explicit MemoryShare(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  ~MemoryShare() { Fit(0); }
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

  // Changes the reservation to `bytes`. Returns false, changing nothing, if the budget cannot cover it.
  bool TryFit(size_t bytes);
  // Same as TryFit, for memory that is allocated already and cannot be refused.
  void Fit(size_t bytes);

 private:
  const std::shared_ptr<MemoryBudget> budget_;
  size_t counted_bytes_ = 0;
};

}  // namespace lapse::net
