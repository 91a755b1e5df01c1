// The parser itself: recursive descent, one function for each level of the grammar. Private to this folder: other
// folders use parse.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/sql/error_list.h"
#include "query/sql/lexer.h"
#include "query/sql/syntax.h"
#include "query/tree_arena.h"

namespace lapse::query::sql {

// Threads: one. Functions return null, or false, after the first error. The error is then in `errors`, and nothing more
// is read.
class Parser {
 public:
  // The nodes point into `text`, which must live as long as the arena.
  Parser(std::string_view text, TreeArena* arena, ErrorList* errors);

  // Parses the whole text.
  const Query* ParseText();
  // Parses a text without SELECT (parse.h).
  const Query* ParseConditionText();

 private:
  // A printed tree has at most two levels of nesting for each of its own levels. So every tree within the height limit
  // can be printed and parsed again.
  static constexpr int kNestingMax = 2 * kTreeHeightMax + 16;

  // Queries: parse_query.cc
  const Query* ParseQuery();
  // Parses what follows SELECT.
  const Query* ParseClauses(Query* query);
  // Expects the end of the text.
  const Query* AtEnd(const Query* query);
  bool ParseSelect(Query* query);
  bool ParseSelectItem();
  bool ParseFrom(Query* query);
  bool ParseSource();
  bool ParseGroupBy(Query* query);
  bool ParseOrderBy(Query* query);
  bool ParseOrderItem(bool rank);
  bool ParseOffsetLimit(Query* query);
  const Expression* ParseCount(bool real_too);
  const Expression* ParsePath();
  const Query* ParseParenthesizedQuery();

  // Expressions, loosest first: parse_expression.cc
  const Expression* ParseExpression();
  const Expression* ParseConditional();
  const Expression* ParseCoalesce();
  const Expression* ParseOr();
  const Expression* ParseAnd();
  const Expression* ParseTest();
  const Expression* ParseIn(const Expression* needle, uint32_t begin, bool negated);
  const Expression* ParseLike(const Expression* subject, uint32_t begin, bool negated);
  const Expression* ParseBetween(const Expression* subject, uint32_t begin, bool negated);
  const Expression* ParseBinary(int level);
  const Expression* ParseUnary();
  const Expression* ParsePostfix();

  // Primary expressions: parse_primary.cc
  const Expression* ParsePrimary();
  const Expression* ParseWord();
  const Expression* ParseCall(ExpressionKind kind, uint32_t begin);
  const Expression* ParseUdfCall();
  const Expression* ParseParenthesis();
  const Expression* ParseLet();
  const Expression* ParseArray();
  const Expression* ParseObject();
  bool ParseMember();
  const Expression* ParseSubquery(ExpressionKind kind, uint32_t begin);
  const Expression* ParseNumber();
  const Expression* ParseString();
  const Expression* ParseLeaf(ExpressionKind kind);
  bool ParseList(TokenKind end);

  // Nodes
  Expression* NewExpression(ExpressionKind kind, uint32_t begin);
  // Gives the node its children, and ends it at the last token. Returns null if the tree gets too high.
  const Expression* Finish(Expression* node, std::span<const Expression* const> children);
  const Expression* Finish(Expression* node, std::initializer_list<const Expression*> children);
  // The same with the list collected since `mark`.
  const Expression* FinishList(Expression* node, size_t mark);
  const Expression* FoldMinus(Span minus, const Expression* operand);

  // Tokens
  void Advance();
  bool At(TokenKind kind) const { return token_.kind == kind; }
  bool Take(TokenKind kind);
  bool Expect(TokenKind kind);
  Token PeekToken() const;
  bool NextIsQuery() const;  // `( SELECT` after the current token
  bool AtWord(std::string_view lower) const;
  std::string_view TextOf(Span span) const { return text_.substr(span.begin, span.end - span.begin); }

  // Errors. Each returns null.
  std::nullptr_t FailHere();
  std::nullptr_t FailInvalid(Span span);
  std::nullptr_t FailTooDeep();
  bool Enter();
  void Leave() { --nesting_; }

  std::string_view text_;
  TreeArena* arena_;
  ErrorList* errors_;
  Lexer lexer_;
  Token token_;
  uint32_t last_end_ = 0;  // where the previous token ends
  int nesting_ = 0;
  int joins_ = 0;
  // Lists that are being collected, innermost last. Each moves to the arena when it ends.
  std::vector<const Expression*> list_;
  std::vector<SelectItem> items_;
  std::vector<Source> sources_;
  std::vector<OrderItem> order_;
};

}  // namespace lapse::query::sql
