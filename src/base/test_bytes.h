// For tests: random input for decoders.
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace lapse {

inline std::string RandomBytes(std::mt19937_64* random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>((*random)());
  return bytes;
}

}  // namespace lapse
