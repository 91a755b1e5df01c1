// Detects scans of one partition that run side by side. Each reads what the others have just read, so their blocks are
// worth caching in the store. The blocks of a lone scan are not: they would evict hot ones.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "engine/records/ids/ids.h"

namespace lapse::engine {

// Threads: any.
class ScansTogether {
 public:
  // Scans within this many items of each other share blocks: what one reads is still in the cache, or is needed soon.
  static constexpr ItemNumber kNear = 50'000;

  // A running scan. Threads: one.
  class Scan {
   public:
    // `at`: where the scan begins. `scans` must outlive it.
    Scan(ScansTogether* scans, ItemNumber at) : scans_(scans), at_(at), has_company_(scans->Add(this, at)) {}
    ~Scan() { scans_->Remove(this); }
    Scan(const Scan&) = delete;
    Scan& operator=(const Scan&) = delete;

    // Returns true if another scan was near when this one began.
    bool has_company() const { return has_company_; }
    void MoveTo(ItemNumber at) { at_.store(at, std::memory_order_relaxed); }

   private:
    friend class ScansTogether;
    ScansTogether* const scans_;
    std::atomic<ItemNumber> at_;
    const bool has_company_;
  };

 private:
  // Returns true if another scan is near.
  bool Add(const Scan* scan, ItemNumber at) {
    std::lock_guard lock(mutex_);
    const bool found = std::any_of(under_way_.begin(), under_way_.end(), [at](const Scan* other) {
      const ItemNumber there = other->at_.load(std::memory_order_relaxed);
      return (there > at ? there - at : at - there) <= kNear;
    });
    under_way_.push_back(scan);
    return found;
  }
  void Remove(const Scan* scan) {
    std::lock_guard lock(mutex_);
    std::erase(under_way_, scan);
  }

  std::mutex mutex_;
  std::vector<const Scan*> under_way_;  // guarded by mutex_
};

}  // namespace lapse::engine
