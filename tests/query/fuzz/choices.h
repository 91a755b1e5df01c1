// The random choices of a case. They are kept, so that the case can be repeated with fewer or smaller ones: that is how
// a failing case is shrunk (shrink.h). The choice 0 is always the simplest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lapse::query_tests {

class Choices {
 public:
  explicit Choices(uint64_t seed) : random_(seed) {}
  // Replays the choices; gives 0 when there are no more.
  explicit Choices(std::vector<uint32_t> made) : replays_(true), made_(std::move(made)) {}

  uint32_t Below(uint32_t bound) {
    if (!replays_) {
      made_.push_back(static_cast<uint32_t>(random_() % bound));
      return made_.back();
    }
    const uint32_t choice = next_ < made_.size() ? made_[next_] : 0;
    ++next_;
    return choice % bound;
  }
  // Rarely true, and never for the simplest choice.
  bool OneIn(uint32_t n) { return Below(n) == n - 1; }

  template <typename List>
  const auto& Pick(const List& list) {
    return list[Below(static_cast<uint32_t>(std::size(list)))];
  }

  const std::vector<uint32_t>& made() const { return made_; }

 private:
  std::mt19937_64 random_;
  bool replays_ = false;
  std::vector<uint32_t> made_;
  size_t next_ = 0;
};

}  // namespace lapse::query_tests
