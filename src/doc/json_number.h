// Reads a JSON number, exactly rounded. Private to this folder.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapse::doc {

struct JsonNumber {
  enum class Kind { kMalformed, kTooBig, kInteger, kDouble };
  Kind kind = Kind::kMalformed;
  int64_t integer = 0;
  double real = 0;
};

// The whole of `text` must be the number. Integers beyond int64 and negative zero are doubles; a number too small for a
// double is zero.
JsonNumber ReadNumber(std::string_view text);

}  // namespace lapse::doc
