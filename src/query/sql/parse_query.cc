// Parses queries and their clauses.
#include <algorithm>

#include "base/ascii.h"
#include "query/sql/parse.h"
#include "query/sql/parser.h"

namespace lapse::query::sql {
namespace {

// Moves the list from `mark` on to the arena.
template <typename T>
std::span<const T> TakeList(std::vector<T>* list, size_t mark, TreeArena* arena) {
  auto taken = arena->Copy(std::span<const T>(*list).subspan(mark));
  list->resize(mark);
  return taken;
}

int HeightOf(const Query& query) {
  int height = 0;
  auto look = [&height](const Expression* e) {
    if (e != nullptr) height = std::max<int>(height, e->height);
  };
  for (const SelectItem& item : query.items) look(item.expression);
  for (const Source& source : query.sources) {
    look(source.path);
    if (source.query != nullptr) height = std::max<int>(height, source.query->height);
  }
  for (const Expression* e : query.group_by) look(e);
  for (const OrderItem& item : query.order_by) look(item.expression);
  for (const Expression* e : {query.top, query.where, query.offset, query.limit}) look(e);
  return height + 1;
}

}  // namespace

const Query* Parser::ParseQuery() {
  if (!Enter()) return nullptr;
  auto* query = arena_->New<Query>();
  query->span.begin = token_.span.begin;
  return ParseSelect(query) ? ParseClauses(query) : nullptr;
}

const Query* Parser::ParseClauses(Query* query) {
  if (At(TokenKind::kFrom) && !ParseFrom(query)) return nullptr;
  if (Take(TokenKind::kWhere) && (query->where = ParseExpression()) == nullptr) return nullptr;
  if (At(TokenKind::kGroup) && !ParseGroupBy(query)) return nullptr;
  if (At(TokenKind::kOrder) && !ParseOrderBy(query)) return nullptr;
  if (At(TokenKind::kOffset) && !ParseOffsetLimit(query)) return nullptr;
  query->span.end = last_end_;
  int height = HeightOf(*query);
  if (height > kTreeHeightMax) return FailTooDeep();
  query->height = static_cast<uint16_t>(height);
  Leave();
  return query;
}

bool Parser::ParseSelect(Query* query) {
  if (!Expect(TokenKind::kSelect)) return false;
  query->distinct = Take(TokenKind::kDistinct);
  Span clause = token_.span;
  if (Take(TokenKind::kTop)) {
    query->top = ParseCount(true);
    if (query->top == nullptr) return false;
    query->top_span = {clause.begin, last_end_};
  }
  query->star_span = token_.span;
  if (Take(TokenKind::kStar)) return true;
  size_t mark = items_.size();
  if (Take(TokenKind::kValue)) {
    query->select = Query::Select::kValue;
    const Expression* value = ParseExpression();
    if (value == nullptr) return false;
    items_.push_back({.expression = value, .alias = {}, .has_alias = false, .alias_span = {}});
  } else {
    query->select = Query::Select::kList;
    do {
      if (!ParseSelectItem()) return false;
    } while (Take(TokenKind::kComma));
  }
  query->items = TakeList(&items_, mark, arena_);
  return true;
}

bool Parser::ParseSelectItem() {
  SelectItem item;
  item.expression = ParseExpression();
  if (item.expression == nullptr) return false;
  bool must = Take(TokenKind::kAs);
  item.alias_span = token_.span;
  if (At(TokenKind::kIdentifier)) {
    item.alias = TextOf(token_.span);
    item.has_alias = true;
    Advance();
  } else if (At(TokenKind::kString)) {
    const Expression* alias = ParseString();
    if (alias == nullptr) return false;
    // A name with a NUL character cannot be stored in an object.
    if (alias->text.find('\0') != std::string_view::npos) {
      FailInvalid(alias->span);
      return false;
    }
    item.alias = alias->text;
    item.has_alias = true;
  } else if (must) {
    FailHere();
    return false;
  }
  items_.push_back(item);
  return true;
}

bool Parser::ParseFrom(Query* query) {
  Advance();
  size_t mark = sources_.size();
  if (!ParseSource()) return false;
  while (At(TokenKind::kJoin)) {
    if (++joins_ > kJoinsMax) {
      errors_->Add(
          "SC3002",
          "The SQL query exceeded the maximum number of joins. The allowed limit is " + std::to_string(kJoinsMax) + ".",
          token_.span);
      return false;
    }
    Advance();
    if (!ParseSource()) return false;
  }
  query->sources = TakeList(&sources_, mark, arena_);
  return true;
}

bool Parser::ParseSource() {
  Source source;
  source.span.begin = token_.span.begin;
  auto take_alias = [&] {
    source.alias_span = token_.span;
    source.alias = TextOf(token_.span);
    source.has_alias = true;
    return Expect(TokenKind::kIdentifier);
  };
  if (At(TokenKind::kIdentifier) && PeekToken().kind == TokenKind::kIn) {
    source.iterates = true;
    if (!take_alias() || !Expect(TokenKind::kIn)) return false;
  }
  if (At(TokenKind::kLeftParenthesis)) {
    source.query = ParseParenthesizedQuery();
    if (source.query == nullptr) return false;
  } else {
    source.path = ParsePath();
    if (source.path == nullptr) return false;
  }
  if (!source.iterates) {
    bool must = Take(TokenKind::kAs);
    if ((must || At(TokenKind::kIdentifier)) && !take_alias()) return false;
  }
  source.span.end = last_end_;
  sources_.push_back(source);
  return true;
}

const Expression* Parser::ParsePath() {
  if (!At(TokenKind::kIdentifier)) return FailHere();
  uint32_t begin = token_.span.begin;
  const Expression* path = ParseLeaf(ExpressionKind::kIdentifier);
  while (path != nullptr) {
    if (Take(TokenKind::kDot)) {
      Expression* node = NewExpression(ExpressionKind::kProperty, begin);
      node->text = TextOf(token_.span);
      if (!Expect(TokenKind::kIdentifier)) return nullptr;
      path = Finish(node, {path});
    } else if (Take(TokenKind::kLeftBracket)) {
      if (!At(TokenKind::kInteger) && !At(TokenKind::kString)) return FailHere();
      const Expression* step = At(TokenKind::kInteger) ? ParseNumber() : ParseString();
      if (step == nullptr || !Expect(TokenKind::kRightBracket)) return nullptr;
      path = Finish(NewExpression(ExpressionKind::kIndex, begin), {path, step});
    } else {
      return path;
    }
  }
  return path;
}

const Query* Parser::ParseParenthesizedQuery() {
  if (!Expect(TokenKind::kLeftParenthesis)) return nullptr;
  const Query* query = ParseQuery();
  if (query == nullptr || !Expect(TokenKind::kRightParenthesis)) return nullptr;
  return query;
}

bool Parser::ParseGroupBy(Query* query) {
  uint32_t begin = token_.span.begin;
  Advance();
  if (!Expect(TokenKind::kBy)) return false;
  size_t mark = list_.size();
  do {
    const Expression* key = ParseExpression();
    if (key == nullptr) return false;
    list_.push_back(key);
  } while (Take(TokenKind::kComma));
  query->group_by = TakeList(&list_, mark, arena_);
  query->group_by_span = {begin, last_end_};
  return true;
}

bool Parser::ParseOrderBy(Query* query) {
  uint32_t begin = token_.span.begin;
  Advance();
  if (!Expect(TokenKind::kBy)) return false;
  // RANK is not a keyword: `ORDER BY RANK` alone sorts by an identifier of that name.
  if (AtWord("rank") && PeekToken().kind == TokenKind::kIdentifier) {
    Advance();
    query->rank = true;
  }
  size_t mark = order_.size();
  do {
    if (!ParseOrderItem(query->rank)) return false;
  } while (Take(TokenKind::kComma));
  query->order_by = TakeList(&order_, mark, arena_);
  query->order_by_span = {begin, last_end_};
  return true;
}

bool Parser::ParseOrderItem(bool rank) {
  OrderItem item;
  if (rank && !(At(TokenKind::kIdentifier) && PeekToken().kind == TokenKind::kLeftParenthesis)) {
    if (At(TokenKind::kIdentifier)) Advance();
    FailHere();
    return false;
  }
  item.expression = rank ? ParseCall(ExpressionKind::kCall, token_.span.begin) : ParseExpression();
  if (item.expression == nullptr) return false;
  if (Take(TokenKind::kAsc)) {
    item.direction = OrderItem::Direction::kAscending;
  } else if (Take(TokenKind::kDesc)) {
    item.direction = OrderItem::Direction::kDescending;
  } else if (item.expression->kind != ExpressionKind::kCall) {
    item.direction = OrderItem::Direction::kAscending;
  }
  order_.push_back(item);
  return true;
}

bool Parser::ParseOffsetLimit(Query* query) {
  uint32_t begin = token_.span.begin;
  Advance();
  query->offset = ParseCount(false);
  if (query->offset == nullptr || !Expect(TokenKind::kLimit)) return false;
  query->limit = ParseCount(false);
  if (query->limit == nullptr) return false;
  query->offset_limit_span = {begin, last_end_};
  return true;
}

const Expression* Parser::ParseCount(bool real_too) {
  if (At(TokenKind::kParameter)) return ParseLeaf(ExpressionKind::kParameter);
  if (At(TokenKind::kInteger) || (real_too && At(TokenKind::kReal))) return ParseNumber();
  return FailHere();
}

}  // namespace lapse::query::sql
