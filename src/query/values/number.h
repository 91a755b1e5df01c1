// Numbers are int64 or double. They compare by mathematical value, so that integers beyond 2^53 stay exact.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

#include "query/values/value.h"

namespace lapse::query {

inline constexpr double kTwoTo63 = 9223372036854775808.0;

// Returns the integer that a double equals. Returns nullopt for NaN, infinities, fractions and values that do not fit.
inline std::optional<int64_t> WholeOf(double number) {
  // Check the range first: converting a double that does not fit is undefined behaviour. NaN fails this check, too.
  if (!(number >= -kTwoTo63 && number < kTwoTo63)) return std::nullopt;
  const auto whole = static_cast<int64_t>(number);
  if (static_cast<double>(whole) != number) return std::nullopt;
  return whole;
}

// Returns the integer that a value equals: 5 and 5.0 have one, "5" and 5.5 do not.
inline std::optional<int64_t> IntegerOf(Value value) {
  if (value.kind() == Kind::kInt64) return value.AsInt64();
  if (value.kind() == Kind::kDouble) return WholeOf(value.AsDouble());
  return std::nullopt;
}

// Turns the result of a computation into a value. A whole number that a double represents exactly becomes an integer,
// so that 4 / 2 prints as 2, and negative zero as 0.
inline Value NumberValue(double number) {
  constexpr double kExact = 9007199254740992.0;
  if (number > -kExact && number < kExact) {
    const auto whole = static_cast<int64_t>(number);
    if (static_cast<double>(whole) == number) return Value::Int64(whole);
  }
  return Value::Double(number);
}

inline std::partial_ordering CompareIntegerWithDouble(int64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= kTwoTo63) return std::partial_ordering::less;
  if (b < -kTwoTo63) return std::partial_ordering::greater;
  const auto whole = static_cast<int64_t>(b);
  if (a != whole) return a <=> whole;
  return 0.0 <=> b - static_cast<double>(whole);
}

inline std::partial_ordering Reversed(std::partial_ordering order) {
  if (std::is_lt(order)) return std::partial_ordering::greater;
  return std::is_gt(order) ? std::partial_ordering::less : order;
}

// Both must be numbers. NaN is unordered with everything.
inline std::partial_ordering CompareNumbers(Value a, Value b) {
  if (a.kind() == Kind::kInt64) {
    if (b.kind() == Kind::kInt64) return a.AsInt64() <=> b.AsInt64();
    return CompareIntegerWithDouble(a.AsInt64(), b.AsDouble());
  }
  if (b.kind() == Kind::kDouble) return a.AsDouble() <=> b.AsDouble();
  return Reversed(CompareIntegerWithDouble(b.AsInt64(), a.AsDouble()));
}

}  // namespace lapse::query
