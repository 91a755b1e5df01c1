#include "query/sql/lexer.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/hex.h"
#include "query/functions/text.h"

namespace lapse::query::sql {
namespace {

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool IsHexDigit(char c) {
  return HexDigit(c) >= 0;
}

}  // namespace

Token Lexer::Next() {
  SkipBlanksAndComments();
  Token token;
  token.span.begin = static_cast<uint32_t>(at_);
  if (at_ < text_.size()) {
    char c = text_[at_];
    if (StartsIdentifier(c)) {
      token.kind = ScanWord();
    } else if (IsDigit(c)) {
      token.kind = ScanNumber();
    } else if (c == '\'' || c == '"') {
      token.kind = ScanString(c);
    } else if (c == '@') {
      token.kind = ScanParameter();
    } else if (c == '/' && Peek(1) == '*') {
      at_ = text_.size();
      token.kind = TokenKind::kInvalid;
    } else {
      ++at_;
      token.kind = ScanPunctuation(c);
    }
  }
  token.span.end = static_cast<uint32_t>(at_);
  return token;
}

void Lexer::SkipBlanksAndComments() {
  while (at_ < text_.size()) {
    if (IsBlank(text_[at_])) {
      ++at_;
    } else if (Peek() == '-' && Peek(1) == '-') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (Peek() == '/' && Peek(1) == '*') {
      size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) return;
      at_ = end + 2;
    } else {
      return;
    }
  }
}

TokenKind Lexer::ScanWord() {
  size_t begin = at_;
  while (at_ < text_.size() && ContinuesIdentifier(text_[at_])) ++at_;
  return KeywordKind(text_.substr(begin, at_ - begin));
}

// A number followed directly by letters, or ending in a bare dot, is one invalid token, so that the message shows all
// of it.
TokenKind Lexer::ScanNumber() {
  if (Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X')) return ScanHex();
  TokenKind kind = TokenKind::kInteger;
  SkipDigits();
  if (Take('.')) {
    kind = IsDigit(Peek()) ? TokenKind::kReal : TokenKind::kInvalid;
    SkipDigits();
  }
  if (kind != TokenKind::kInvalid && (Peek() == 'e' || Peek() == 'E')) {
    ++at_;
    if (Peek() == '+' || Peek() == '-') ++at_;
    kind = IsDigit(Peek()) ? TokenKind::kReal : TokenKind::kInvalid;
    SkipDigits();
  }
  if (!ContinuesIdentifier(Peek())) return kind;
  while (ContinuesIdentifier(Peek())) ++at_;
  return TokenKind::kInvalid;
}

TokenKind Lexer::ScanHex() {
  at_ += 2;
  bool valid = IsHexDigit(Peek());
  while (ContinuesIdentifier(Peek())) {
    valid = valid && IsHexDigit(Peek());
    ++at_;
  }
  return valid ? TokenKind::kInteger : TokenKind::kInvalid;
}

TokenKind Lexer::ScanString(char quote) {
  ++at_;
  while (at_ < text_.size()) {
    char c = text_[at_++];
    if (c == quote) return TokenKind::kString;
    if (c == '\\' && at_ < text_.size()) ++at_;
  }
  return TokenKind::kInvalid;
}

TokenKind Lexer::ScanParameter() {
  size_t begin = ++at_;
  while (ContinuesIdentifier(Peek())) ++at_;
  return at_ > begin ? TokenKind::kParameter : TokenKind::kInvalid;
}

TokenKind Lexer::ScanPunctuation(char first) {
  switch (first) {
    case '.': return TokenKind::kDot;
    case ',': return TokenKind::kComma;
    case ':': return TokenKind::kColon;
    case ';': return TokenKind::kSemicolon;
    case '(': return TokenKind::kLeftParenthesis;
    case ')': return TokenKind::kRightParenthesis;
    case '[': return TokenKind::kLeftBracket;
    case ']': return TokenKind::kRightBracket;
    case '{': return TokenKind::kLeftBrace;
    case '}': return TokenKind::kRightBrace;
    case '*': return TokenKind::kStar;
    case '/': return TokenKind::kSlash;
    case '%': return TokenKind::kPercent;
    case '+': return TokenKind::kPlus;
    case '-': return TokenKind::kMinus;
    case '&': return TokenKind::kAmpersand;
    case '^': return TokenKind::kCaret;
    case '~': return TokenKind::kTilde;
    case '=': return TokenKind::kEqual;
    case '?': return Take('?') ? TokenKind::kCoalesce : TokenKind::kQuestion;
    case '|': return Take('|') ? TokenKind::kConcat : TokenKind::kBar;
    case '!': return Take('=') ? TokenKind::kNotEqual : TokenKind::kInvalid;
    case '<':
      if (Take('=')) return TokenKind::kLessOrEqual;
      if (Take('>')) return TokenKind::kNotEqual;
      return Take('<') ? TokenKind::kShiftLeft : TokenKind::kLess;
    case '>':
      if (Take('=')) return TokenKind::kGreaterOrEqual;
      if (!Take('>')) return TokenKind::kGreater;
      return Take('>') ? TokenKind::kShiftRightUnsigned : TokenKind::kShiftRight;
    default:
      // An invalid multi-byte character is one token, so that the message shows it whole.
      while (at_ < text_.size() && IsContinuation(text_[at_])) ++at_;
      return TokenKind::kInvalid;
  }
}

void Lexer::SkipDigits() {
  while (IsDigit(Peek())) ++at_;
}

bool Lexer::Take(char c) {
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && StartsIdentifier(name[0]) && std::all_of(name.begin(), name.end(), ContinuesIdentifier) &&
         KeywordKind(name) == TokenKind::kIdentifier;
}

}  // namespace lapse::query::sql
