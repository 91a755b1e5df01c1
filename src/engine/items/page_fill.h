// How full a page of a feed is.
#pragma once

#include <cstddef>

namespace lapse::engine {

// Records of a kind that a page passes over, since they are not shown, before it ends all the same.
constexpr int kPassedOverMax = 10'000;

// Threads: one.
class PageFill {
 public:
  PageFill(int items_max, size_t bytes_max) : items_max_(items_max), bytes_max_(bytes_max) {}

  // Whether one of this size is still on the page; the first always is.
  bool Fits(size_t bytes) const { return items_ == 0 || (items_ < items_max_ && bytes_ + bytes <= bytes_max_); }
  void Add(size_t bytes) {
    ++items_;
    bytes_ += bytes;
  }
  void PassOverExpired() { ++expired_; }
  void PassOverOther() { ++others_; }
  // Whether it ends with this record, though it is not full.
  bool EndsEarly() const { return expired_ >= kPassedOverMax || others_ >= kPassedOverMax; }
  // Because of expired records alone: without them it would go on.
  bool EndsEarlyByExpiry() const { return expired_ >= kPassedOverMax && others_ < kPassedOverMax; }

 private:
  const int items_max_;
  const size_t bytes_max_;
  int items_ = 0;
  size_t bytes_ = 0;
  int expired_ = 0;
  int others_ = 0;
};

}  // namespace lapse::engine
