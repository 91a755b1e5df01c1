// The tokens of a query's text.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/sql/syntax.h"

namespace lapse::query::sql {

enum class TokenKind : uint8_t {
  kEnd,
  kInvalid,  // not a word of the language
  kIdentifier,
  kParameter,
  kInteger,  // digits only, or hexadecimal
  kReal,     // with a fraction or an exponent
  kString,
  // Punctuation
  kDot,
  kComma,
  kColon,
  kSemicolon,
  kQuestion,
  kCoalesce,
  kLeftParenthesis,
  kRightParenthesis,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kStar,
  kSlash,
  kPercent,
  kPlus,
  kMinus,
  kAmpersand,
  kCaret,
  kBar,
  kConcat,
  kTilde,
  kEqual,
  kNotEqual,
  kLess,
  kGreater,
  kLessOrEqual,
  kGreaterOrEqual,
  kShiftLeft,
  kShiftRight,
  kShiftRightUnsigned,
  // Keywords that the grammar uses
  kAnd,
  kArray,
  kAs,
  kAsc,
  kBetween,
  kBy,
  kDesc,
  kDistinct,
  kEscape,
  kExists,
  kFalse,
  kFrom,
  kGroup,
  kIn,
  kJoin,
  kLeft,
  kLike,
  kLimit,
  kNot,
  kNull,
  kOffset,
  kOr,
  kOrder,
  kRight,
  kSelect,
  kTop,
  kTrue,
  kUdf,
  kUndefined,
  kValue,
  kWhere,
  kReserved,  // a keyword that the grammar does not use
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Span span;
};

// Returns the kind of a keyword, in any case, or kIdentifier for any other word.
TokenKind KeywordKind(std::string_view word);

}  // namespace lapse::query::sql
