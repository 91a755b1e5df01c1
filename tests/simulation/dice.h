// The randomness of a run: one seed is one sequence.
#pragma once

#include <cstdint>
#include <random>

namespace lapse::simulation {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  int64_t Below(int64_t bound) { return std::uniform_int_distribution<int64_t>(0, bound - 1)(random_); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  uint64_t Seed() { return random_(); }

 private:
  std::mt19937_64 random_;
};

}  // namespace lapse::simulation
