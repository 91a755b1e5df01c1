// SplitMix64: random numbers from a counter, mixed with multiplications and shifts. Fast, small and seeded by any
// number. Not for secrets. Tests that need distributions use <random>.
#pragma once

#include <cstdint>

namespace lapse {

class SplitMix64 {
 public:
  explicit constexpr SplitMix64(uint64_t seed) : state_(seed) {}

  constexpr uint64_t Next() {
    uint64_t mixed = state_ += kIncrement;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }

 private:
  static constexpr uint64_t kIncrement = 0x9E3779B97F4A7C15;  // odd, so that the counter visits every value

  uint64_t state_;
};

// Spreads a number over all 64 bits: returns the first output of the generator seeded with it. One-to-one.
constexpr uint64_t Mix64(uint64_t number) {
  return SplitMix64(number).Next();
}

}  // namespace lapse
