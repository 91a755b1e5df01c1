#include "api/cosmos/partition_key/go_escapes.h"

#include <cstdint>
#include <optional>

#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kGoOnly = "axvU";

void AppendUnit(uint32_t unit, std::string* json) {
  json->append("\\u");
  for (int shift = 12; shift >= 0; shift -= 4) json->push_back(kLowerHexDigits[unit >> shift & 15]);
}

// A code point beyond U+FFFF becomes a surrogate pair.
void AppendCodePoint(uint32_t code_point, std::string* json) {
  constexpr uint32_t kBeyond = 0x10000;
  if (code_point < kBeyond) return AppendUnit(code_point, json);
  AppendUnit(0xD800 + ((code_point - kBeyond) >> 10), json);
  AppendUnit(0xDC00 + ((code_point - kBeyond) & 0x3FF), json);
}

std::optional<uint32_t> ReadHex(std::string_view digits, size_t count) {
  if (digits.size() < count) return std::nullopt;
  uint32_t value = 0;
  for (char c : digits.substr(0, count)) {
    const int digit = LowerHexDigit(c);
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<uint32_t>(digit);
  }
  return value;
}

struct Escape {
  uint32_t code_point = 0;
  size_t chars = 0;  // after the backslash
};

// Reads what follows a backslash. Returns nullopt to leave it to the JSON parser.
std::optional<Escape> ReadEscape(std::string_view rest) {
  constexpr uint32_t kAsciiEnd = 0x80;  // from here on Go means a byte, and a single byte is not text
  constexpr uint32_t kCodePointMax = 0x10FFFF;
  switch (rest.empty() ? '\0' : rest[0]) {
    case 'a': return Escape{.code_point = 7, .chars = 1};
    case 'v': return Escape{.code_point = 11, .chars = 1};
    case 'x': {
      const std::optional<uint32_t> value = ReadHex(rest.substr(1), 2);
      if (!value || *value >= kAsciiEnd) return std::nullopt;
      return Escape{.code_point = *value, .chars = 3};
    }
    case 'U': {
      const std::optional<uint32_t> value = ReadHex(rest.substr(1), 8);
      if (!value || *value > kCodePointMax) return std::nullopt;
      return Escape{.code_point = *value, .chars = 9};
    }
    default: return std::nullopt;
  }
}

}  // namespace

bool HasGoEscapes(std::string_view text) {
  for (size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 2)) {
    if (at + 1 < text.size() && kGoOnly.find(text[at + 1]) != std::string_view::npos) return true;
  }
  return false;
}

std::string GoEscapesAsJson(std::string_view text) {
  std::string json;
  json.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      json.push_back(text[i]);
      continue;
    }
    if (const std::optional<Escape> escape = ReadEscape(text.substr(i + 1))) {
      AppendCodePoint(escape->code_point, &json);
      i += escape->chars;
      continue;
    }
    // Includes the escaped character, which may be a backslash.
    json.append(text.substr(i, 2));
    ++i;
  }
  return json;
}

}  // namespace lapse::api::cosmos
