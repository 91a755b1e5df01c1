#include "base/base64.h"

#include <algorithm>
#include <cstdint>

#include "base/ascii.h"

namespace lapse {
namespace {

constexpr std::string_view kCommonDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

char Digit(uint32_t value, const Base64Form& form) {
  if (value < kCommonDigits.size()) return kCommonDigits[value];
  return value == 62 ? form.digit_62 : form.digit_63;
}

int Value(char digit, const Base64Form& form) {
  if (digit >= 'A' && digit <= 'Z') return digit - 'A';
  if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
  if (IsDigit(digit)) return digit - '0' + 52;
  if (digit == form.digit_62) return 62;
  return digit == form.digit_63 ? 63 : -1;
}

// Removes the padding. Returns false if the length is impossible.
bool TrimPadding(std::string_view* text, const Base64Form& form) {
  if (!form.padded) return text->size() % 4 != 1;
  if (text->size() % 4 != 0) return false;
  for (int i = 0; i < 2 && text->ends_with('='); ++i) text->remove_suffix(1);
  return true;
}

}  // namespace

std::string Base64(std::string_view bytes, const Base64Form& form) {
  std::string text;
  AppendBase64(bytes, form, &text);
  return text;
}

void AppendBase64(std::string_view bytes, const Base64Form& form, std::string* text) {
  const size_t begin = text->size();
  text->resize(begin + Base64Chars(bytes.size(), form));
  EncodeBase64(bytes, form, text->data() + begin);
}

void EncodeBase64(std::string_view bytes, const Base64Form& form, char* text) {
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t have = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) group = group << 8 | (j < have ? static_cast<uint8_t>(bytes[i + j]) : 0U);
    for (size_t j = 0; j < 4; ++j) {
      if (j <= have) {
        *text++ = Digit(group >> (18 - 6 * j) & 63, form);
      } else if (form.padded) {
        *text++ = '=';
      }
    }
  }
}

bool FromBase64(std::string_view text, std::string* bytes, const Base64Form& form) {
  bytes->clear();
  if (!TrimPadding(&text, form)) return false;
  uint32_t group = 0;
  int bits = 0;
  for (char c : text) {
    const int value = Value(c, form);
    if (value < 0) return false;
    group = group << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes->push_back(static_cast<char>(group >> bits & 0xFF));
    }
  }
  return true;
}

}  // namespace lapse
