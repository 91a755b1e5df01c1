#include "base/escape.h"

#include "base/ascii.h"
#include "base/hex.h"

namespace lapse {
namespace {

constexpr size_t kPercentEscapeChars = 3;
constexpr size_t kUnitChars = 4;

constexpr int32_t kHighSurrogates = 0xD800;
constexpr int32_t kLowSurrogates = 0xDC00;
constexpr int32_t kSurrogatesEnd = 0xE000;
constexpr int32_t kPairsBegin = 0x10000;

constexpr char ShortEscape(char c) {
  switch (c) {
    case '"':
    case '\\': return c;
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return 0;
  }
}

constexpr bool IsUnreserved(char c) {
  return IsLetter(c) || IsDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

// Consumes a UTF-16 unit of four hex digits. Returns -1 if they are missing.
int32_t TakeUnit(std::string_view* text) {
  if (text->size() < kUnitChars) return -1;
  int32_t unit = 0;
  for (const char c : text->substr(0, kUnitChars)) {
    const int digit = HexDigit(c);
    if (digit < 0) return -1;
    unit = unit << 4 | digit;
  }
  text->remove_prefix(kUnitChars);
  return unit;
}

}  // namespace

std::string_view JsonEscape(char c, char (*buffer)[kJsonEscapeCharsMax]) {
  char* const out = *buffer;
  out[0] = '\\';
  if (const char letter = ShortEscape(c); letter != 0) {
    out[1] = letter;
    return {out, 2};
  }
  const auto byte = static_cast<unsigned char>(c);
  out[1] = 'u';
  out[2] = out[3] = '0';
  out[4] = kLowerHexDigits[byte >> 4];
  out[5] = kLowerHexDigits[byte & 15];
  return {out, kJsonEscapeCharsMax};
}

int32_t TakeJsonCodePoint(std::string_view* text) {
  const int32_t unit = TakeUnit(text);
  if (unit < 0) return kEscapeMalformed;
  if (unit < kHighSurrogates || unit >= kSurrogatesEnd) return unit;
  if (unit >= kLowSurrogates || !text->starts_with("\\u")) return kEscapeUnpaired;
  text->remove_prefix(2);
  const int32_t low = TakeUnit(text);
  if (low < kLowSurrogates || low >= kSurrogatesEnd) return kEscapeUnpaired;
  return kPairsBegin + ((unit - kHighSurrogates) << 10) + (low - kLowSurrogates);
}

std::string PercentEncode(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded.append({'%', kUpperHexDigits[byte >> 4], kUpperHexDigits[byte & 15]});
  }
  return encoded;
}

int PercentEscape(std::string_view text) {
  if (text.size() < kPercentEscapeChars || text[0] != '%') return -1;
  const int high = HexDigit(text[1]);
  const int low = HexDigit(text[2]);
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

bool PercentDecode(std::string_view text, std::string* decoded) {
  decoded->clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded->push_back(text[i]);
      continue;
    }
    const int byte = PercentEscape(text.substr(i));
    if (byte < 0) return false;
    decoded->push_back(static_cast<char>(byte));
    i += kPercentEscapeChars - 1;
  }
  return true;
}

}  // namespace lapse
