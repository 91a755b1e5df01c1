#include "doc/json_string.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/escape.h"
#include "base/utf8.h"
#include "doc/json_scan.h"

namespace lapse::doc {
namespace {

constexpr const char* kNotClosed = "a string is not closed or has a control character";
constexpr const char* kBadEscape = "a string has an unknown escape";
constexpr const char* kBadSurrogate = "a string has an unpaired surrogate";

// Decodes escapes from `from` to `to`, which must not be after it.
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

  // Call at a backslash. Returns null, or the problem.
  const char* UndoEscape() {
    if (end_ - from_ < 2) return kNotClosed;
    char letter = from_[1];
    from_ += 2;
    if (letter == 'u') return UndoUnicode();
    const char c = JsonUnescape(letter);
    if (c == 0) return kBadEscape;
    *to_++ = c;
    return nullptr;
  }

 private:
  // Call after `\u`.
  const char* UndoUnicode() {
    std::string_view rest(from_, static_cast<size_t>(end_ - from_));
    const int32_t c = TakeJsonCodePoint(&rest);
    if (c == kEscapeMalformed) return kBadEscape;
    if (c == kEscapeUnpaired) return kBadSurrogate;
    from_ = end_ - rest.size();
    to_ = PutUtf8(static_cast<char32_t>(c), to_);
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
