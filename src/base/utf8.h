// Byte-level helpers for UTF-8.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapse {

constexpr size_t kUtf8BytesMax = 4;

// Whether the byte continues a character.
constexpr bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Whether the text begins with one of U+0080 to U+009F, which terminals interpret as commands. Each is two bytes long.
constexpr bool BeginsHighControl(std::string_view text) {
  return text.size() >= 2 && text[0] == '\xC2' && IsContinuation(text[1]) && static_cast<unsigned char>(text[1]) < 0xA0;
}

// Writes a code point of at most U+10FFFF as one to four bytes. Returns the end.
constexpr char* PutUtf8(char32_t c, char* to) {
  const auto put = [&to](char32_t byte) { *to++ = static_cast<char>(byte); };
  const auto put_rest = [&put, c](int shift) { put(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put_rest(0);
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put_rest(6);
    put_rest(0);
  } else {
    put(0xF0 | c >> 18);
    put_rest(12);
    put_rest(6);
    put_rest(0);
  }
  return to;
}

}  // namespace lapse
