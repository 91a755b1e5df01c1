// Splits a query's text into tokens, one at a time. It allocates nothing and is cheap to copy: the parser uses a copy
// to look ahead.
#pragma once

#include <string_view>

#include "query/sql/token.h"

namespace lapse::query::sql {

class Lexer {
 public:
  // The text must be at most 4 GB.
  explicit Lexer(std::string_view text) : text_(text) {}

  // Returns the next token, and kEnd whenever the text has ended. An unterminated comment is one invalid token.
  Token Next();

 private:
  void SkipBlanksAndComments();
  TokenKind ScanWord();
  TokenKind ScanNumber();
  TokenKind ScanHex();
  TokenKind ScanString(char quote);
  TokenKind ScanParameter();
  TokenKind ScanPunctuation(char first);
  void SkipDigits();
  bool Take(char c);
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  std::string_view text_;
  size_t at_ = 0;
};

constexpr bool StartsIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool ContinuesIdentifier(char c) {
  return StartsIdentifier(c) || (c >= '0' && c <= '9');
}

// Whether the name needs no quoting in a query: it is an identifier and not a keyword.
bool IsPlainName(std::string_view name);

}  // namespace lapse::query::sql
