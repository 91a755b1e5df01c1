// A number of items and the size of their documents.
#pragma once

#include <cstdint>

namespace lapse::engine {

struct Count {
  int64_t items = 0;
  int64_t bytes = 0;

  Count& operator+=(const Count& other) {
    items += other.items;
    bytes += other.bytes;
    return *this;
  }
  Count& operator-=(const Count& other) {
    items -= other.items;
    bytes -= other.bytes;
    return *this;
  }
  friend Count operator+(Count a, const Count& b) { return a += b; }
  friend Count operator-(Count a, const Count& b) { return a -= b; }
  bool operator==(const Count&) const = default;
};

}  // namespace lapse::engine
