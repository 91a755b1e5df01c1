// Encodes bytes as hexadecimal digits and decodes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapse {

inline constexpr std::string_view kLowerHexDigits = "0123456789abcdef";
inline constexpr std::string_view kUpperHexDigits = "0123456789ABCDEF";

// Returns the value of a digit in either case, or -1 for any other byte.
constexpr int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Returns the value of a lower-case digit, or -1 for any other byte. For formats in which every value has only one
// text.
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

// Accepts digits in either case. Returns false for any other character or an odd number of digits.
bool FromHex(std::string_view hex, std::string* bytes);

}  // namespace lapse
