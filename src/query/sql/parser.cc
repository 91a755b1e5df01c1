#include "query/sql/parser.h"

#include <algorithm>

#include "base/ascii.h"
#include "query/sql/literal.h"

namespace lapse::query::sql {

Parser::Parser(std::string_view text, TreeArena* arena, ErrorList* errors)
    : text_(text), arena_(arena), errors_(errors), lexer_(text) {
  Advance();
}

const Query* Parser::ParseText() {
  return AtEnd(ParseQuery());
}

const Query* Parser::ParseConditionText() {
  if (!Enter()) return nullptr;
  auto* query = arena_->New<Query>();
  query->select = Query::Select::kValue;
  const SelectItem item{.expression = NewExpression(ExpressionKind::kTrue, 0), .alias = {}, .alias_span = {}};
  query->items = arena_->Copy(std::span<const SelectItem>(&item, 1));
  if (!At(TokenKind::kFrom)) return FailHere();
  return AtEnd(ParseClauses(query));
}

const Query* Parser::AtEnd(const Query* query) {
  if (query == nullptr) return nullptr;
  Take(TokenKind::kSemicolon);
  if (!At(TokenKind::kEnd)) return FailHere();
  return query;
}

Expression* Parser::NewExpression(ExpressionKind kind, uint32_t begin) {
  auto* node = arena_->New<Expression>();
  node->kind = kind;
  node->span.begin = begin;
  return node;
}

const Expression* Parser::Finish(Expression* node, std::span<const Expression* const> children) {
  node->span.end = last_end_;
  node->children = arena_->Copy(children);
  int height = node->query == nullptr ? 0 : node->query->height;
  for (const Expression* child : children) height = std::max<int>(height, child->height);
  if (height >= kTreeHeightMax) return FailTooDeep();
  node->height = static_cast<uint16_t>(height + 1);
  return node;
}

const Expression* Parser::Finish(Expression* node, std::initializer_list<const Expression*> children) {
  return Finish(node, std::span<const Expression* const>(children.begin(), children.size()));
}

const Expression* Parser::FinishList(Expression* node, size_t mark) {
  const Expression* finished = Finish(node, std::span(list_).subspan(mark));
  list_.resize(mark);
  return finished;
}

// A minus right before a number is part of it. Otherwise the smallest integer could not be written.
const Expression* Parser::FoldMinus(Span minus, const Expression* operand) {
  bool is_number = operand->kind == ExpressionKind::kInteger || operand->kind == ExpressionKind::kReal;
  if (!is_number || operand->span.begin != minus.end || !IsDigit(text_[minus.end])) return nullptr;
  Expression* node = NewExpression(ExpressionKind::kInteger, minus.begin);
  node->span.end = operand->span.end;
  auto number = ReadNumber(TextOf(node->span));
  if (number->is_integer) {
    node->integer = number->integer;
  } else {
    node->kind = ExpressionKind::kReal;
    node->real = number->real;
  }
  return node;
}

void Parser::Advance() {
  last_end_ = token_.span.end;
  token_ = lexer_.Next();
}

bool Parser::Take(TokenKind kind) {
  if (!At(kind)) return false;
  Advance();
  return true;
}

bool Parser::Expect(TokenKind kind) {
  if (Take(kind)) return true;
  FailHere();
  return false;
}

Token Parser::PeekToken() const {
  Lexer ahead = lexer_;
  return ahead.Next();
}

bool Parser::NextIsQuery() const {
  Lexer ahead = lexer_;
  return ahead.Next().kind == TokenKind::kLeftParenthesis && ahead.Next().kind == TokenKind::kSelect;
}

bool Parser::AtWord(std::string_view lower) const {
  return At(TokenKind::kIdentifier) && EqualsIgnoreCase(TextOf(token_.span), lower);
}

std::nullptr_t Parser::FailHere() {
  if (!errors_->empty()) return nullptr;
  switch (token_.kind) {
    case TokenKind::kInvalid: return FailInvalid(token_.span);
    case TokenKind::kEnd: {
      auto end = static_cast<uint32_t>(text_.size());
      errors_->Add("SC1002", "Syntax error, unexpected end-of-file.", {end, end});
      return nullptr;
    }
    default:
      errors_->Add("SC1001", "Syntax error, incorrect syntax near " + Quoted(TextOf(token_.span)) + ".", token_.span);
      return nullptr;
  }
}

std::nullptr_t Parser::FailInvalid(Span span) {
  if (errors_->empty()) errors_->Add("SC1010", "Syntax error, invalid token " + Quoted(TextOf(span)) + ".", span);
  return nullptr;
}

std::nullptr_t Parser::FailTooDeep() {
  if (!errors_->empty()) return nullptr;
  errors_->Add(
      "SC3021",
      "The SQL query exceeded the maximum nesting depth. The allowed limit is " + std::to_string(kTreeHeightMax) + ".",
      token_.span);
  return nullptr;
}

bool Parser::Enter() {
  if (++nesting_ <= kNestingMax) return true;
  FailTooDeep();
  return false;
}

}  // namespace lapse::query::sql
