// Parses JSON numbers with exact rounding. Private to this folder.
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

// All of `text` must be the number. Integers outside int64 and negative zero become doubles. A number too small for a
// double becomes zero.
JsonNumber ReadNumber(std::string_view text);

}  // namespace lapse::doc
