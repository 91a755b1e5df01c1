#include "base/hex.h"

namespace lapse {

std::string HexUpper(std::string_view bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (unsigned char byte : bytes) {
    hex.push_back(kUpperHexDigits[byte >> 4]);
    hex.push_back(kUpperHexDigits[byte & 15]);
  }
  return hex;
}

void AppendGuid(uint64_t high, uint64_t low, std::string* out) {
  int shift = 60;
  for (size_t at = 0; at < kGuidChars; ++at) {
    if (IsGuidDash(at)) {
      out->push_back('-');
      continue;
    }
    out->push_back(kLowerHexDigits[high >> shift & 15]);
    shift -= 4;
    if (shift >= 0) continue;
    shift = 60;
    high = low;
  }
}

bool FromHex(std::string_view hex, std::string* bytes) {
  bytes->clear();
  if (hex.size() % 2 != 0) return false;
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexDigit(hex[i]);
    const int low = HexDigit(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high << 4 | low));
  }
  return true;
}

}  // namespace lapse
