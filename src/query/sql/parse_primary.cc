// Parses primary expressions: names, literals, calls, and everything in brackets.
#include "query/sql/literal.h"
#include "query/sql/parser.h"

namespace lapse::query::sql {

const Expression* Parser::ParsePrimary() {
  switch (token_.kind) {
    case TokenKind::kIdentifier: return ParseWord();
    case TokenKind::kParameter: return ParseLeaf(ExpressionKind::kParameter);
    case TokenKind::kInteger:
    case TokenKind::kReal: return ParseNumber();
    case TokenKind::kString: return ParseString();
    case TokenKind::kUndefined: return ParseLeaf(ExpressionKind::kUndefined);
    case TokenKind::kNull: return ParseLeaf(ExpressionKind::kNull);
    case TokenKind::kTrue: return ParseLeaf(ExpressionKind::kTrue);
    case TokenKind::kFalse: return ParseLeaf(ExpressionKind::kFalse);
    case TokenKind::kLeftParenthesis: return ParseParenthesis();
    case TokenKind::kLeftBracket: return ParseArray();
    case TokenKind::kLeftBrace: return ParseObject();
    case TokenKind::kUdf: return ParseUdfCall();
    // Two function names are keywords.
    case TokenKind::kLeft:
    case TokenKind::kRight:
      if (PeekToken().kind != TokenKind::kLeftParenthesis) return FailHere();
      return ParseCall(ExpressionKind::kCall, token_.span.begin);
    case TokenKind::kExists:
    case TokenKind::kArray: {
      ExpressionKind kind = At(TokenKind::kExists) ? ExpressionKind::kExists : ExpressionKind::kArrayOf;
      uint32_t begin = token_.span.begin;
      Advance();
      return ParseSubquery(kind, begin);
    }
    default: return FailHere();
  }
}

// ALL, FIRST and LAST are keywords only before a query.
const Expression* Parser::ParseWord() {
  if (PeekToken().kind != TokenKind::kLeftParenthesis) return ParseLeaf(ExpressionKind::kIdentifier);
  ExpressionKind kind = ExpressionKind::kCall;
  if (AtWord("all")) kind = ExpressionKind::kAll;
  if (AtWord("first")) kind = ExpressionKind::kFirst;
  if (AtWord("last")) kind = ExpressionKind::kLast;
  if (kind == ExpressionKind::kCall || !NextIsQuery()) return ParseCall(ExpressionKind::kCall, token_.span.begin);
  uint32_t begin = token_.span.begin;
  Advance();
  return ParseSubquery(kind, begin);
}

const Expression* Parser::ParseCall(ExpressionKind kind, uint32_t begin) {
  Expression* node = NewExpression(kind, begin);
  node->text = TextOf(token_.span);
  Advance();
  if (!Expect(TokenKind::kLeftParenthesis)) return nullptr;
  size_t mark = list_.size();
  if (!ParseList(TokenKind::kRightParenthesis)) return nullptr;
  return FinishList(node, mark);
}

const Expression* Parser::ParseUdfCall() {
  uint32_t begin = token_.span.begin;
  Advance();
  if (!Expect(TokenKind::kDot)) return nullptr;
  if (!At(TokenKind::kIdentifier)) return FailHere();
  return ParseCall(ExpressionKind::kUdfCall, begin);
}

const Expression* Parser::ParseParenthesis() {
  uint32_t begin = token_.span.begin;
  TokenKind next = PeekToken().kind;
  if (next == TokenKind::kSelect) return ParseSubquery(ExpressionKind::kSubquery, begin);
  Advance();
  const Expression* inside = nullptr;
  // LET is not a keyword: `(LET)` is an identifier of that name.
  if (AtWord("let") && PeekToken().kind == TokenKind::kIdentifier) {
    if (!Enter()) return nullptr;
    inside = ParseLet();
    Leave();
  } else {
    inside = ParseExpression();
  }
  if (inside == nullptr || !Expect(TokenKind::kRightParenthesis)) return nullptr;
  return inside;
}

// The parentheses belong to LET, yet its span excludes them, like that of every parenthesised expression.
const Expression* Parser::ParseLet() {
  Expression* node = NewExpression(ExpressionKind::kLet, token_.span.begin);
  Advance();
  node->text = TextOf(token_.span);
  Advance();
  constexpr int kLoosest = 0;  // comparisons and everything that binds tighter
  if (!Expect(TokenKind::kEqual)) return nullptr;
  const Expression* value = ParseBinary(kLoosest);
  if (value == nullptr || !Expect(TokenKind::kIn)) return nullptr;
  const Expression* body = ParseBinary(kLoosest);
  if (body == nullptr) return nullptr;
  return Finish(node, {value, body});
}

const Expression* Parser::ParseArray() {
  Expression* node = NewExpression(ExpressionKind::kArray, token_.span.begin);
  Advance();
  size_t mark = list_.size();
  if (!ParseList(TokenKind::kRightBracket)) return nullptr;
  return FinishList(node, mark);
}

const Expression* Parser::ParseObject() {
  Expression* node = NewExpression(ExpressionKind::kObject, token_.span.begin);
  Advance();
  size_t mark = list_.size();
  if (!At(TokenKind::kRightBrace)) {
    do {
      if (!ParseMember()) return nullptr;
    } while (Take(TokenKind::kComma));
  }
  if (!Expect(TokenKind::kRightBrace)) return nullptr;
  return FinishList(node, mark);
}

bool Parser::ParseMember() {
  const Expression* name = nullptr;
  if (At(TokenKind::kIdentifier)) {
    name = ParseLeaf(ExpressionKind::kString);
  } else if (At(TokenKind::kString)) {
    name = ParseString();
  } else {
    FailHere();
  }
  if (name == nullptr) return false;
  // A name with a NUL character cannot be stored in an object.
  if (name->text.find('\0') != std::string_view::npos) {
    FailInvalid(name->span);
    return false;
  }
  if (!Expect(TokenKind::kColon)) return false;
  const Expression* value = ParseExpression();
  if (value == nullptr) return false;
  list_.push_back(name);
  list_.push_back(value);
  return true;
}

// The current token must be the parenthesis before the query.
const Expression* Parser::ParseSubquery(ExpressionKind kind, uint32_t begin) {
  Expression* node = NewExpression(kind, begin);
  node->query = ParseParenthesizedQuery();
  if (node->query == nullptr) return nullptr;
  return Finish(node, {});
}

const Expression* Parser::ParseNumber() {
  auto number = ReadNumber(TextOf(token_.span));
  if (!number) return FailInvalid(token_.span);
  Expression* node = NewExpression(ExpressionKind::kInteger, token_.span.begin);
  if (number->is_integer) {
    node->integer = number->integer;
  } else {
    node->kind = ExpressionKind::kReal;
    node->real = number->real;
  }
  Advance();
  return Finish(node, {});
}

const Expression* Parser::ParseString() {
  auto text = ReadString(TextOf(token_.span), arena_);
  if (!text) return FailInvalid(token_.span);
  Expression* node = NewExpression(ExpressionKind::kString, token_.span.begin);
  node->text = *text;
  Advance();
  return Finish(node, {});
}

const Expression* Parser::ParseLeaf(ExpressionKind kind) {
  Expression* node = NewExpression(kind, token_.span.begin);
  node->text = TextOf(token_.span);
  Advance();
  return Finish(node, {});
}

// Appends expressions to the current list up to `end`, which it consumes.
bool Parser::ParseList(TokenKind end) {
  if (Take(end)) return true;
  do {
    const Expression* item = ParseExpression();
    if (item == nullptr) return false;
    list_.push_back(item);
  } while (Take(TokenKind::kComma));
  return Expect(end);
}

}  // namespace lapse::query::sql
