#include <array>

#include "base/ascii.h"
#include "query/sql/token.h"

namespace lapse::query::sql {
namespace {

struct Keyword {
  std::string_view word;  // in lower case
  TokenKind kind;
};

// In alphabetical order.
constexpr auto kKeywords = std::to_array<Keyword>({
    {"and", TokenKind::kAnd},
    {"array", TokenKind::kArray},
    {"as", TokenKind::kAs},
    {"asc", TokenKind::kAsc},
    {"between", TokenKind::kBetween},
    {"by", TokenKind::kBy},
    {"case", TokenKind::kReserved},
    {"cast", TokenKind::kReserved},
    {"convert", TokenKind::kReserved},
    {"cross", TokenKind::kReserved},
    {"desc", TokenKind::kDesc},
    {"distinct", TokenKind::kDistinct},
    {"else", TokenKind::kReserved},
    {"end", TokenKind::kReserved},
    {"escape", TokenKind::kEscape},
    {"exists", TokenKind::kExists},
    {"false", TokenKind::kFalse},
    {"for", TokenKind::kReserved},
    {"from", TokenKind::kFrom},
    {"group", TokenKind::kGroup},
    {"having", TokenKind::kReserved},
    {"in", TokenKind::kIn},
    {"inner", TokenKind::kReserved},
    {"insert", TokenKind::kReserved},
    {"into", TokenKind::kReserved},
    {"is", TokenKind::kReserved},
    {"join", TokenKind::kJoin},
    {"left", TokenKind::kLeft},
    {"like", TokenKind::kLike},
    {"limit", TokenKind::kLimit},
    {"not", TokenKind::kNot},
    {"null", TokenKind::kNull},
    {"offset", TokenKind::kOffset},
    {"on", TokenKind::kReserved},
    {"or", TokenKind::kOr},
    {"order", TokenKind::kOrder},
    {"outer", TokenKind::kReserved},
    {"over", TokenKind::kReserved},
    {"right", TokenKind::kRight},
    {"select", TokenKind::kSelect},
    {"set", TokenKind::kReserved},
    {"then", TokenKind::kReserved},
    {"top", TokenKind::kTop},
    {"true", TokenKind::kTrue},
    {"udf", TokenKind::kUdf},
    {"undefined", TokenKind::kUndefined},
    {"update", TokenKind::kReserved},
    {"value", TokenKind::kValue},
    {"when", TokenKind::kReserved},
    {"where", TokenKind::kWhere},
    {"with", TokenKind::kReserved},
});

// Index of the first keyword for each letter; the last entry is the end of the table.
constexpr auto kFirstOfLetter = [] {
  std::array<uint8_t, 27> first{};
  size_t at = 0;
  for (size_t letter = 0; letter < 26; ++letter) {
    while (at < kKeywords.size() && static_cast<size_t>(kKeywords[at].word[0] - 'a') < letter) ++at;
    first[letter] = static_cast<uint8_t>(at);
  }
  first[26] = static_cast<uint8_t>(kKeywords.size());
  return first;
}();

}  // namespace

TokenKind KeywordKind(std::string_view word) {
  char first = LowerAscii(word[0]);
  if (first < 'a' || first > 'z') return TokenKind::kIdentifier;
  size_t letter = static_cast<size_t>(first - 'a');
  for (size_t i = kFirstOfLetter[letter]; i < kFirstOfLetter[letter + 1]; ++i) {
    if (EqualsIgnoreCase(word, kKeywords[i].word)) return kKeywords[i].kind;
  }
  return TokenKind::kIdentifier;
}

}  // namespace lapse::query::sql
