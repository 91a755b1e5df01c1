// Memory that a query holds outside of arenas, charged to the pool that all queries share.
#pragma once

#include <cstddef>
#include <utility>

#include "query/values/memory_pool.h"

namespace lapse::query {

// Threads: one. The destructor returns what it took.
class HeldMemory {
 public:
  // Null: nothing is charged.
  explicit HeldMemory(MemoryPool* pool = nullptr) : pool_(pool) {}
  ~HeldMemory() { Release(); }
  HeldMemory(HeldMemory&& other) noexcept : pool_(other.pool_), bytes_(std::exchange(other.bytes_, 0)) {}
  HeldMemory& operator=(HeldMemory&& other) noexcept {
    if (this == &other) return *this;
    Release();
    pool_ = other.pool_;
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }

  // Raises the reservation to at least `bytes`. Returns false, changing nothing, if the pool cannot cover it.
  bool GrowTo(size_t bytes) {
    if (pool_ == nullptr || bytes <= bytes_) return true;
    if (!pool_->Take(bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
  }
  size_t bytes() const { return bytes_; }

 private:
  void Release() {
    if (pool_ != nullptr && bytes_ > 0) pool_->Give(bytes_);
    bytes_ = 0;
  }

  MemoryPool* pool_;
  size_t bytes_ = 0;
};

}  // namespace lapse::query
