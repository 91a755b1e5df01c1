// Decides when a page of a feed ends.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace lapse::engine {

// A page ends after it has skipped this many records of one kind.
constexpr int kPassedOverMax = 10'000;

// A page that takes longer ends early.
constexpr int64_t kPageTime_ns = 5'000'000'000;

// Tells the reader of a page whether it may leave an item for the next page.
enum class Place : uint8_t { kIfItFits, kMust };

// Threads: one.
class PageLimit {
 public:
  PageLimit(int items_max, const SteadyClock& steady, bool until_end = false)
      : items_max_(items_max), until_end_(until_end), steady_(steady), ends_ns_(steady.RoughNowNs() + kPageTime_ns) {}

  // The first item is always on the page.
  Place place() const { return items_ == 0 ? Place::kMust : Place::kIfItFits; }
  bool full() const { return items_ >= items_max_ && items_ > 0; }
  void Add() { ++items_; }
  void PassOverExpired() { ++expired_; }
  void PassOverOther() { ++others_; }
  int items() const { return items_; }

  // Returns true if the page ends before the next record, though it is not full.
  bool EndsEarly() const {
    return !until_end_ && (expired_ >= kPassedOverMax || others_ >= kPassedOverMax || TimeIsUp());
  }
  // Returns true if the page ends early because of expired records alone.
  bool EndsEarlyByExpiry() const { return expired_ >= kPassedOverMax && others_ < kPassedOverMax; }

 private:
  bool TimeIsUp() const { return steady_.RoughNowNs() >= ends_ns_; }

  const int items_max_;
  const bool until_end_;
  const SteadyClock& steady_;
  const int64_t ends_ns_;
  int items_ = 0;
  int expired_ = 0;
  int others_ = 0;
};

}  // namespace lapse::engine
