// A value that every request reads and that hardly ever changes.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lapse {

// A read is one atomic load, without a lock or reference count. There is no telling when the last reader of an older
// value is done, so every published value is kept until the end. Use it for small values that change only a few times.
// Threads: any.
// Owns: all values.
template <typename T>
class Published {
 public:
  explicit Published(T first) { Publish(std::move(first)); }

  const T& get() const { return *current_.load(std::memory_order_acquire); }

  void Publish(T next) {
    std::lock_guard lock(mutex_);
    all_.push_back(std::make_unique<const T>(std::move(next)));
    current_.store(all_.back().get(), std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<const T>> all_;  // guarded by mutex_
  std::atomic<const T*> current_{nullptr};
};

}  // namespace lapse
