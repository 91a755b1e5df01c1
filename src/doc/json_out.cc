#include "doc/json_out.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/escape.h"
#include "base/hex.h"
#include "doc/json_scan.h"

namespace lapse::doc {
namespace {

// Longer than any int64, and than any shortest double with ".0".
constexpr size_t kNumberSize = 32;

}  // namespace

void JsonOut::Grow(size_t count) {
  size_t used = Size();
  text_->resize(std::max(used + count, text_->size() * 2));
  SetRoom(used);
}

void JsonOut::PutInteger(int64_t number) {
  Need(kNumberSize);
  at_ = std::to_chars(at_, end_, number).ptr;
}

void JsonOut::PutDouble(double number) {
  if (std::isnan(number)) return Put("\"NaN\"");
  if (std::isinf(number)) return Put(number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  Need(kNumberSize);
  // Integers that a double represents exactly are printed in full: 100000.0 rather than the shorter 1e+05.
  constexpr double kExact = 9007199254740992.0;
  if (std::trunc(number) == number && std::abs(number) < kExact) {
    if (number == 0 && std::signbit(number)) *at_++ = '-';
    at_ = std::to_chars(at_, end_, static_cast<int64_t>(number)).ptr;
    *at_++ = '.';
    *at_++ = '0';
    return;
  }
  char* start = at_;
  at_ = std::to_chars(at_, end_, number).ptr;
  bool reads_as_double = std::any_of(start, at_, [](char c) { return c == '.' || c == 'e'; });
  if (!reads_as_double) Put(".0");
}

void JsonOut::PutString(std::string_view text) {
  const char* at = text.data();
  const char* end = at + text.size();
  Need(text.size() + 2);
  *at_++ = '"';
  for (;;) {
    const char* special = FindSpecial(at, end);
    std::string_view run(at, static_cast<size_t>(special - at));
    at_ += run.copy(at_, run.size());
    if (special == end) break;
    PutEscaped(*special);
    at = special + 1;
    // An escape is longer than its byte, so space for the rest and the closing quote must be reserved again.
    Need(static_cast<size_t>(end - at) + 1);
  }
  *at_++ = '"';
}

void JsonOut::PutEscaped(char c) {
  char buffer[kJsonEscapeCharsMax];
  Put(JsonEscape(c, &buffer));
}

void JsonOut::PutHex(std::string_view bytes) {
  Need(bytes.size() * 2);
  for (unsigned char byte : bytes) {
    *at_++ = kLowerHexDigits[byte >> 4];
    *at_++ = kLowerHexDigits[byte & 15];
  }
}

}  // namespace lapse::doc
