#include "doc/json_string.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/hex.h"
#include "doc/json_scan.h"

namespace lapse::doc {
namespace {

constexpr const char* kNotClosed = "a string is not closed or has a control character";
constexpr const char* kBadEscape = "a string has an unknown escape";
constexpr const char* kBadSurrogate = "a string has an unpaired surrogate";

constexpr uint32_t kHighSurrogates = 0xD800;
constexpr uint32_t kLowSurrogates = 0xDC00;
constexpr uint32_t kSurrogatesEnd = 0xE000;
constexpr uint32_t kNotHex = 0xFFFFFFFF;

// The four digits of a \u escape.
uint32_t FourDigits(const char* at, const char* end) {
  if (end - at < 4) return kNotHex;
  uint32_t number = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = HexDigit(at[i]);
    if (digit < 0) return kNotHex;
    number = number << 4 | static_cast<uint32_t>(digit);
  }
  return number;
}

char* PutUtf8(uint32_t c, char* to) {
  auto put = [&to](uint32_t byte) { *to++ = static_cast<char>(byte); };
  auto put_rest = [&put, c](int shift) { put(0x80 | (c >> shift & 0x3F)); };
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

// The character that a two-character escape stands for, or 0.
char SimpleEscape(char letter) {
  switch (letter) {
    case '"': return '"';
    case '\\': return '\\';
    case '/': return '/';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
  }
}

// Undoes escapes from `from` to `to`, which lies at or before it.
class Unescaper {
 public:
  Unescaper(char* at, char* end) : from_(at), to_(at), end_(end) {}

  char* to() const { return to_; }
  bool AtQuote() const { return from_ < end_ && *from_ == '"'; }
  bool AtBackslash() const { return from_ < end_ && *from_ == '\\'; }

  void CopyPlain() {
    const char* special = FindSpecial(from_, end_);
    auto run = special - from_;
    to_ = std::copy(from_, from_ + run, to_);
    from_ += run;
  }

  // At a backslash. Null, or what is wrong.
  const char* UndoEscape() {
    if (end_ - from_ < 2) return kNotClosed;
    char letter = from_[1];
    from_ += 2;
    if (letter == 'u') return UndoUnicode();
    char c = SimpleEscape(letter);
    if (c == 0) return kBadEscape;
    *to_++ = c;
    return nullptr;
  }

 private:
  // After `\u`.
  const char* UndoUnicode() {
    uint32_t c = FourDigits(from_, end_);
    if (c == kNotHex) return kBadEscape;
    from_ += 4;
    if (c >= kHighSurrogates && c < kSurrogatesEnd) {
      if (c >= kLowSurrogates || end_ - from_ < 6 || from_[0] != '\\' || from_[1] != 'u') return kBadSurrogate;
      uint32_t low = FourDigits(from_ + 2, end_);
      if (low < kLowSurrogates || low >= kSurrogatesEnd) return kBadSurrogate;
      from_ += 6;
      c = 0x10000 + ((c - kHighSurrogates) << 10) + (low - kLowSurrogates);
    }
    to_ = PutUtf8(c, to_);
    return nullptr;
  }

  char* from_;
  char* to_;
  char* end_;
};

const char* ReadEscaped(char* begin, char* first_escape, char* end, std::string_view* text) {
  Unescaper unescaper(first_escape, end);
  while (!unescaper.AtQuote()) {
    if (!unescaper.AtBackslash()) return kNotClosed;
    if (const char* problem = unescaper.UndoEscape()) return problem;
    unescaper.CopyPlain();
  }
  *text = {begin, static_cast<size_t>(unescaper.to() - begin)};
  return nullptr;
}

}  // namespace

const char* ReadString(char* at, char* end, std::string_view* text) {
  char* special = at + (FindSpecial(at, end) - at);
  if (special < end && *special == '"') {
    *text = {at, static_cast<size_t>(special - at)};
    return nullptr;
  }
  return ReadEscaped(at, special, end, text);
}

}  // namespace lapse::doc
