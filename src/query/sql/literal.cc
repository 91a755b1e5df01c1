#include "query/sql/literal.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/ascii.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "doc/json.h"

namespace lapse::query::sql {
namespace {

// A double represents every whole number up to here.
constexpr double kExactMax = 9007199254740992.0;  // 2^53

Number Integer(int64_t value) {
  return {.is_integer = true, .integer = value, .real = 0};
}

Number Real(double value) {
  if (std::abs(value) <= kExactMax && value == std::trunc(value) && !(value == 0 && std::signbit(value))) {
    return Integer(static_cast<int64_t>(value));
  }
  return {.is_integer = false, .integer = 0, .real = value};
}

template <typename T>
std::from_chars_result ReadAll(std::string_view digits, T* value, int base) {
  return std::from_chars(digits.data(), digits.data() + digits.size(), *value, base);
}

std::optional<Number> ReadHex(std::string_view digits, bool negative) {
  uint64_t magnitude = 0;
  constexpr uint64_t kMax = static_cast<uint64_t>(INT64_MAX);
  if (ReadAll(digits, &magnitude, 16).ec == std::errc() && magnitude <= kMax) {
    if (magnitude == 0 && negative) return Real(-0.0);
    auto value = static_cast<int64_t>(magnitude);
    return Integer(negative ? -value : value);
  }
  double value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex);
  if (error != std::errc()) return std::nullopt;
  return Real(negative ? -value : value);
}

// Returns '\0' for an escape that does not exist. No escape stands for that character.
char Unescaped(char c) {
  return c == '\'' ? c : JsonUnescape(c);
}

}  // namespace

std::optional<Number> ReadNumber(std::string_view text) {
  bool negative = text.front() == '-';
  std::string_view digits = negative ? text.substr(1) : text;
  if (digits.size() > 2 && LowerAscii(digits[1]) == 'x') return ReadHex(digits.substr(2), negative);
  int64_t integer = 0;
  auto [end, error] = ReadAll(text, &integer, 10);
  bool all_read = end == text.data() + text.size();
  if (error == std::errc() && all_read && !(integer == 0 && negative)) return Integer(integer);
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc()) return Real(value);
  // Too large or too small: from_chars does not say which. A number that is too small is zero.
  value = std::strtod(std::string(text).c_str(), nullptr);
  if (std::isinf(value)) return std::nullopt;
  return Real(value);
}

std::optional<std::string_view> ReadString(std::string_view token, TreeArena* arena) {
  std::string_view inside = token.substr(1, token.size() - 2);
  if (inside.find('\\') == std::string_view::npos) return inside;
  // An escape is never shorter than the text that it stands for.
  char* begin = arena->NewText(inside.size());
  char* out = begin;
  while (!inside.empty()) {
    const char c = inside[0];
    inside.remove_prefix(1);
    if (c != '\\') {
      *out++ = c;
      continue;
    }
    const char letter = inside[0];  // the lexer ends no token in the middle of an escape
    inside.remove_prefix(1);
    if (letter == 'u') {
      const int32_t code = TakeJsonCodePoint(&inside);
      if (code < 0) return std::nullopt;
      out = PutUtf8(static_cast<char32_t>(code), out);
    } else {
      const char meant = Unescaped(letter);
      if (meant == '\0') return std::nullopt;
      *out++ = meant;
    }
  }
  return std::string_view(begin, static_cast<size_t>(out - begin));
}

void PrintReal(double value, std::string* text) {
  char buffer[32];
  auto result = std::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string_view digits(buffer, static_cast<size_t>(result.ptr - buffer));
  text->append(digits);
  // Without a fraction or an exponent it would be read back as an integer.
  if (digits.find_first_of(".e") == std::string_view::npos) text->append(".0");
}

void PrintString(std::string_view value, std::string* text) {
  doc::StringToJson(value, text);
}

}  // namespace lapse::query::sql
