// The defects found in a store, for people: all are counted, and the first few are described.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lapse::engine {

// Threads: one.
class Findings {
 public:
  static constexpr size_t kToldMax = 20;

  void Add(std::string text, int64_t count = 1) {
    count_ += count;
    if (told_.size() < kToldMax) told_.push_back(std::move(text));
  }

  int64_t count() const { return count_; }
  const std::vector<std::string>& told() const { return told_; }

 private:
  int64_t count_ = 0;
  std::vector<std::string> told_;
};

}  // namespace lapse::engine
