#include "doc/json_number.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "base/ascii.h"

namespace lapse::doc {
namespace {

const char* SkipDigits(const char* at, const char* end) {
  while (at < end && IsDigit(*at)) ++at;
  return at;
}

// The parts of a number, or none if the syntax is wrong.
struct Parts {
  bool ok = false;
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::string_view exponent;  // including its sign
  bool IsInteger() const { return fraction.empty() && exponent.empty(); }
};

Parts Split(std::string_view text) {
  Parts parts;
  const char* at = text.data();
  const char* end = at + text.size();
  auto take_digits = [&at, end](const char* from, std::string_view* part) {
    const char* digits = at;
    at = SkipDigits(at, end);
    *part = {from, static_cast<size_t>(at - from)};
    return at > digits;
  };
  if (at < end && *at == '-') {
    parts.negative = true;
    ++at;
  }
  if (!take_digits(at, &parts.whole)) return {};
  if (parts.whole.size() > 1 && parts.whole[0] == '0') return {};
  if (at < end && *at == '.') {
    ++at;
    if (!take_digits(at, &parts.fraction)) return {};
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char* from = ++at;
    if (at < end && (*at == '+' || *at == '-')) ++at;
    if (!take_digits(from, &parts.exponent)) return {};
  }
  parts.ok = at == end;
  return parts;
}

// Whether a number outside the range of doubles is too small rather than too large, which is so if the exponent puts
// its first nonzero digit after the point.
bool IsTiny(const Parts& parts) {
  constexpr int64_t kFarAway = int64_t{1} << 60;
  std::string_view exponent = parts.exponent.substr(parts.exponent.substr(0, 1) == "+" ? 1 : 0);
  int64_t shift = 0;
  auto result = std::from_chars(exponent.data(), exponent.data() + exponent.size(), shift);
  if (result.ec == std::errc::result_out_of_range) shift = exponent[0] == '-' ? -kFarAway : kFarAway;
  shift = std::clamp(shift, -kFarAway, kFarAway);
  size_t whole_zeros = std::min(parts.whole.find_first_not_of('0'), parts.whole.size());
  if (whole_zeros < parts.whole.size()) return shift + static_cast<int64_t>(parts.whole.size()) <= 0;
  size_t fraction_zeros = std::min(parts.fraction.find_first_not_of('0'), parts.fraction.size());
  return shift - static_cast<int64_t>(fraction_zeros) <= 0;
}

JsonNumber ReadDouble(std::string_view text, const Parts& parts) {
  JsonNumber number{.kind = JsonNumber::Kind::kDouble};
  auto result = std::from_chars(text.data(), text.data() + text.size(), number.real);
  if (result.ec == std::errc()) return number;
  if (!IsTiny(parts)) return {.kind = JsonNumber::Kind::kTooBig};
  number.real = parts.negative ? -0.0 : 0.0;
  return number;
}

}  // namespace

JsonNumber ReadNumber(std::string_view text) {
  Parts parts = Split(text);
  if (!parts.ok) return {};
  if (parts.IsInteger()) {
    JsonNumber number{.kind = JsonNumber::Kind::kInteger};
    auto result = std::from_chars(text.data(), text.data() + text.size(), number.integer);
    // Integers have no negative zero, doubles do.
    bool negative_zero = number.integer == 0 && parts.negative;
    if (result.ec == std::errc() && !negative_zero) return number;
  }
  return ReadDouble(text, parts);
}

}  // namespace lapse::doc
