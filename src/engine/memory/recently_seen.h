// Whether something was asked for before, not long ago: what is asked for once need not be kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lapse::engine {

// Threads: any. Memory: 128 KB. Now and then it says yes of what it has not seen.
class RecentlySeen {
 public:
  // Whether it was seen since the last time that half of the places were taken. From now on it is.
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
