// Remembers what was requested recently. What is requested only once need not be cached.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lapse::engine {

// Threads: any. Memory: 128 KB. May report a hash as seen that was not.
class RecentlySeen {
 public:
  // Marks the hash as seen, and returns true if it already was. All marks are cleared whenever half of the bits are
  // set.
  bool See(uint64_t hash) {
    std::atomic<uint64_t>& word = words_[hash / 64 % kWords];
    const uint64_t bit = uint64_t{1} << hash % 64;
    if ((word.fetch_or(bit, std::memory_order_relaxed) & bit) != 0) return true;
    if (taken_.fetch_add(1, std::memory_order_relaxed) + 1 == kWords * 64 / 2) Forget();
    return false;
  }

 private:
  static constexpr size_t kWords = size_t{1} << 14;

  void Forget() {
    for (size_t i = 0; i < kWords; ++i) words_[i].store(0, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed);
  }

  const std::unique_ptr<std::atomic<uint64_t>[]> words_ = std::make_unique<std::atomic<uint64_t>[]>(kWords);
  std::atomic<size_t> taken_{0};
};

}  // namespace lapse::engine
