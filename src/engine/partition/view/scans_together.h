// Scans of one partition that go side by side, each over what the others have just read: then blocks are worth their
// place in the store's cache. Those of a scan that goes alone are not, they would push out what is hot.
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
  // Where one scan is no further than so many items from another, what it reads is still in the cache, or soon of use.
  static constexpr ItemNumber kNear = 50'000;

  // One that is under way. Threads: one.
  class Scan {
   public:
    // `at`: where it begins. `scans` must outlive it.
    Scan(ScansTogether* scans, ItemNumber at) : scans_(scans), at_(at), has_company_(scans->Add(this, at)) {}
    ~Scan() { scans_->Remove(this); }
    Scan(const Scan&) = delete;
    Scan& operator=(const Scan&) = delete;

    // Whether another one was near when it began.
    bool has_company() const { return has_company_; }
    void MoveTo(ItemNumber at) { at_.store(at, std::memory_order_relaxed); }

   private:
    friend class ScansTogether;
    ScansTogether* const scans_;
    std::atomic<ItemNumber> at_;
    const bool has_company_;
  };

 private:
  // Whether another one is near.
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
