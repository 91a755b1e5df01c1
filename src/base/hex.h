// Bytes as hexadecimal digits, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapse {

inline constexpr std::string_view kLowerHexDigits = "0123456789abcdef";
inline constexpr std::string_view kUpperHexDigits = "0123456789ABCDEF";

// The value of a digit in either case, -1 for any other byte.
constexpr int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The value of a digit in lower case, -1 for any other byte: where one value must have one text.
constexpr int LowerHexDigit(char c) {
  return c >= 'A' && c <= 'F' ? -1 : HexDigit(c);
}

// Appends 128 bits as a GUID: 32 digits in lower case, in groups of 8, 4, 4, 4 and 12.
void AppendGuid(uint64_t high, uint64_t low, std::string* out);

// Whether a GUID has a dash at this position.
constexpr bool IsGuidDash(size_t at) {
  return at == 8 || at == 13 || at == 18 || at == 23;
}

constexpr size_t kGuidChars = 36;

std::string HexUpper(std::string_view bytes);

// Takes digits in either case. False when there is anything else, or an odd number of them.
bool FromHex(std::string_view hex, std::string* bytes);

}  // namespace lapse
