// What a query holds outside of arenas, counted in the memory that all queries share.
#pragma once

#include <cstddef>
#include <utility>

#include "query/values/memory_pool.h"

namespace lapse::query {

// Threads: one. Gives back what it took when it goes.
class HeldMemory {
 public:
  // Null: nothing is counted.
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

  // So much is held from now on, if it is more than before. False: there is not so much left; nothing has changed then.
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
