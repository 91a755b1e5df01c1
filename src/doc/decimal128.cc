#include "doc/decimal128.h"

#include <cstdint>
#include <cstring>

namespace lapse::doc {
namespace {

__extension__ using Uint128 = unsigned __int128;

constexpr int kExponentBias = 6176;
constexpr int kExponentBits = 14;
// Below this adjusted exponent the standard requires scientific notation.
constexpr int kPlainExponentMin = -6;

constexpr Uint128 TenTo(int power) {
  return power == 0 ? 1 : 10 * TenTo(power - 1);
}
constexpr Uint128 kSignificandEnd = TenTo(34);

struct Number {
  Uint128 significand;
  int exponent;
};

Number Decode(uint64_t high, uint64_t low) {
  constexpr uint64_t kExponentMask = (uint64_t{1} << kExponentBits) - 1;
  // If both top bits of the combination field are set, the significand has an implied leading 8, which is out of range.
  // By the standard such significands are zero.
  bool implied_eight = (high >> 61 & 3) == 3;
  if (implied_eight) return {0, static_cast<int>(high >> 47 & kExponentMask) - kExponentBias};
  constexpr uint64_t kHighSignificand = (uint64_t{1} << 49) - 1;
  Uint128 significand = static_cast<Uint128>(high & kHighSignificand) << 64 | low;
  if (significand >= kSignificandEnd) significand = 0;
  return {significand, static_cast<int>(high >> 49 & kExponentMask) - kExponentBias};
}

std::string Digits(Uint128 number) {
  constexpr Uint128 kHalf = TenTo(17);
  auto high = static_cast<uint64_t>(number / kHalf);
  auto low = static_cast<uint64_t>(number % kHalf);
  if (high == 0) return std::to_string(low);
  std::string low_digits = std::to_string(low);
  return std::to_string(high) + std::string(17 - low_digits.size(), '0') + low_digits;
}

std::string Scientific(std::string digits, int adjusted_exponent) {
  if (digits.size() > 1) digits.insert(1, 1, '.');
  digits += adjusted_exponent < 0 ? "E" : "E+";
  return digits + std::to_string(adjusted_exponent);
}

std::string Plain(std::string digits, int exponent) {
  if (exponent == 0) return digits;
  auto fraction = static_cast<size_t>(-exponent);
  if (digits.size() <= fraction) digits.insert(0, fraction + 1 - digits.size(), '0');
  return digits.insert(digits.size() - fraction, 1, '.');
}

}  // namespace

std::string Decimal128ToString(std::string_view raw) {
  uint64_t low;
  uint64_t high;
  std::memcpy(&low, raw.data(), sizeof(low));
  std::memcpy(&high, raw.data() + sizeof(low), sizeof(high));
  uint64_t special = high >> 58 & 0x1F;
  if (special == 0x1F) return "NaN";
  std::string sign = high >> 63 == 1 ? "-" : "";
  if (special == 0x1E) return sign + "Infinity";

  auto [significand, exponent] = Decode(high, low);
  std::string digits = Digits(significand);
  int adjusted_exponent = exponent + static_cast<int>(digits.size()) - 1;
  bool scientific = exponent > 0 || adjusted_exponent < kPlainExponentMin;
  return sign + (scientific ? Scientific(std::move(digits), adjusted_exponent) : Plain(std::move(digits), exponent));
}

}  // namespace lapse::doc
