// Parses expressions by precedence. The tightest are in parse_primary.cc.
#include "query/sql/parser.h"

namespace lapse::query::sql {
namespace {

// Levels of binary operators, loosest first.
constexpr int kComparison = 0;
constexpr int kConcatenation = 1;
constexpr int kSum = 2;
constexpr int kProduct = 3;

struct BinaryOperator {
  Operator op = Operator::kNone;
  int level = -1;
};

BinaryOperator BinaryOperatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEqual: return {Operator::kEqual, kComparison};
    case TokenKind::kNotEqual: return {Operator::kNotEqual, kComparison};
    case TokenKind::kLess: return {Operator::kLess, kComparison};
    case TokenKind::kGreater: return {Operator::kGreater, kComparison};
    case TokenKind::kLessOrEqual: return {Operator::kLessOrEqual, kComparison};
    case TokenKind::kGreaterOrEqual: return {Operator::kGreaterOrEqual, kComparison};
    case TokenKind::kShiftLeft: return {Operator::kShiftLeft, kComparison};
    case TokenKind::kShiftRight: return {Operator::kShiftRight, kComparison};
    case TokenKind::kShiftRightUnsigned: return {Operator::kShiftRightUnsigned, kComparison};
    case TokenKind::kConcat: return {Operator::kConcat, kConcatenation};
    case TokenKind::kPlus: return {Operator::kAdd, kSum};
    case TokenKind::kMinus: return {Operator::kSubtract, kSum};
    case TokenKind::kAmpersand: return {Operator::kBitAnd, kSum};
    case TokenKind::kCaret: return {Operator::kBitXor, kSum};
    case TokenKind::kBar: return {Operator::kBitOr, kSum};
    case TokenKind::kStar: return {Operator::kMultiply, kProduct};
    case TokenKind::kSlash: return {Operator::kDivide, kProduct};
    case TokenKind::kPercent: return {Operator::kModulo, kProduct};
    default: return {};
  }
}

Operator UnaryOperatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kMinus: return Operator::kMinus;
    case TokenKind::kPlus: return Operator::kPlus;
    case TokenKind::kTilde: return Operator::kBitNot;
    case TokenKind::kNot: return Operator::kNot;
    default: return Operator::kNone;
  }
}

}  // namespace

const Expression* Parser::ParseExpression() {
  if (!Enter()) return nullptr;
  const Expression* expression = ParseConditional();
  Leave();
  return expression;
}

const Expression* Parser::ParseConditional() {
  uint32_t begin = token_.span.begin;
  const Expression* condition = ParseCoalesce();
  if (condition == nullptr || !Take(TokenKind::kQuestion)) return condition;
  const Expression* then = ParseExpression();
  if (then == nullptr || !Expect(TokenKind::kColon)) return nullptr;
  const Expression* otherwise = ParseExpression();
  if (otherwise == nullptr) return nullptr;
  return Finish(NewExpression(ExpressionKind::kConditional, begin), {condition, then, otherwise});
}

const Expression* Parser::ParseCoalesce() {
  uint32_t begin = token_.span.begin;
  const Expression* left = ParseOr();
  if (left == nullptr || !Take(TokenKind::kCoalesce)) return left;
  if (!Enter()) return nullptr;
  const Expression* right = ParseCoalesce();
  Leave();
  if (right == nullptr) return nullptr;
  return Finish(NewExpression(ExpressionKind::kCoalesce, begin), {left, right});
}

const Expression* Parser::ParseOr() {
  uint32_t begin = token_.span.begin;
  const Expression* first = ParseAnd();
  if (first == nullptr || !At(TokenKind::kOr)) return first;
  size_t mark = list_.size();
  if (first->kind == ExpressionKind::kOr) {
    list_.insert(list_.end(), first->children.begin(), first->children.end());
  } else {
    list_.push_back(first);
  }
  while (Take(TokenKind::kOr)) {
    const Expression* next = ParseAnd();
    if (next == nullptr) return nullptr;
    list_.push_back(next);
  }
  return FinishList(NewExpression(ExpressionKind::kOr, begin), mark);
}

const Expression* Parser::ParseAnd() {
  uint32_t begin = token_.span.begin;
  const Expression* first = ParseTest();
  if (first == nullptr || !At(TokenKind::kAnd)) return first;
  size_t mark = list_.size();
  if (first->kind == ExpressionKind::kAnd) {
    list_.insert(list_.end(), first->children.begin(), first->children.end());
  } else {
    list_.push_back(first);
  }
  while (Take(TokenKind::kAnd)) {
    const Expression* next = ParseTest();
    if (next == nullptr) return nullptr;
    list_.push_back(next);
  }
  return FinishList(NewExpression(ExpressionKind::kAnd, begin), mark);
}

// BETWEEN is here, beside IN and LIKE, rather than above OR as in the service's grammar. So it needs no parentheses
// next to AND and OR, and every query of that grammar keeps its meaning.
const Expression* Parser::ParseTest() {
  uint32_t begin = token_.span.begin;
  const Expression* subject = ParseBinary(kComparison);
  if (subject == nullptr) return nullptr;
  bool negated = false;
  if (At(TokenKind::kNot)) {
    TokenKind next = PeekToken().kind;
    negated = next == TokenKind::kIn || next == TokenKind::kLike || next == TokenKind::kBetween;
    if (negated) Advance();
  }
  switch (token_.kind) {
    case TokenKind::kIn: return ParseIn(subject, begin, negated);
    case TokenKind::kLike: return ParseLike(subject, begin, negated);
    case TokenKind::kBetween: return ParseBetween(subject, begin, negated);
    default: return subject;
  }
}

const Expression* Parser::ParseIn(const Expression* needle, uint32_t begin, bool negated) {
  Advance();
  if (!Expect(TokenKind::kLeftParenthesis)) return nullptr;
  // An empty list is an error.
  if (At(TokenKind::kRightParenthesis)) return FailHere();
  size_t mark = list_.size();
  list_.push_back(needle);
  if (!ParseList(TokenKind::kRightParenthesis)) return nullptr;
  Expression* node = NewExpression(ExpressionKind::kIn, begin);
  node->negated = negated;
  return FinishList(node, mark);
}

const Expression* Parser::ParseLike(const Expression* subject, uint32_t begin, bool negated) {
  Advance();
  const Expression* pattern = ParseBinary(kComparison);
  if (pattern == nullptr) return nullptr;
  Expression* node = NewExpression(ExpressionKind::kLike, begin);
  node->negated = negated;
  if (!Take(TokenKind::kEscape)) return Finish(node, {subject, pattern});
  if (!At(TokenKind::kString)) return FailHere();
  const Expression* escape = ParseString();
  if (escape == nullptr) return nullptr;
  return Finish(node, {subject, pattern, escape});
}

const Expression* Parser::ParseBetween(const Expression* subject, uint32_t begin, bool negated) {
  Advance();
  const Expression* low = ParseBinary(kComparison);
  if (low == nullptr || !Expect(TokenKind::kAnd)) return nullptr;
  const Expression* high = ParseBinary(kComparison);
  if (high == nullptr) return nullptr;
  Expression* node = NewExpression(ExpressionKind::kBetween, begin);
  node->negated = negated;
  return Finish(node, {subject, low, high});
}

// Parses operators of this level and of tighter ones. All are left-associative.
const Expression* Parser::ParseBinary(int level) {
  uint32_t begin = token_.span.begin;
  const Expression* left = ParseUnary();
  while (left != nullptr) {
    BinaryOperator found = BinaryOperatorOf(token_.kind);
    if (found.level < level) return left;
    Advance();
    const Expression* right = ParseBinary(found.level + 1);
    if (right == nullptr) return nullptr;
    Expression* node = NewExpression(ExpressionKind::kBinary, begin);
    node->op = found.op;
    left = Finish(node, {left, right});
  }
  return left;
}

const Expression* Parser::ParseUnary() {
  Operator op = UnaryOperatorOf(token_.kind);
  if (op == Operator::kNone) return ParsePostfix();
  if (!Enter()) return nullptr;
  Span sign = token_.span;
  Advance();
  const Expression* operand = ParseUnary();
  Leave();
  if (operand == nullptr) return nullptr;
  if (op == Operator::kMinus) {
    const Expression* number = FoldMinus(sign, operand);
    if (number != nullptr) return number;
  }
  Expression* node = NewExpression(ExpressionKind::kUnary, sign.begin);
  node->op = op;
  return Finish(node, {operand});
}

const Expression* Parser::ParsePostfix() {
  uint32_t begin = token_.span.begin;
  const Expression* value = ParsePrimary();
  while (value != nullptr) {
    if (Take(TokenKind::kDot)) {
      Expression* node = NewExpression(ExpressionKind::kProperty, begin);
      node->text = TextOf(token_.span);
      if (!Expect(TokenKind::kIdentifier)) return nullptr;
      value = Finish(node, {value});
    } else if (Take(TokenKind::kLeftBracket)) {
      const Expression* index = ParseExpression();
      if (index == nullptr || !Expect(TokenKind::kRightBracket)) return nullptr;
      value = Finish(NewExpression(ExpressionKind::kIndex, begin), {value, index});
    } else {
      return value;
    }
  }
  return value;
}

}  // namespace lapse::query::sql
