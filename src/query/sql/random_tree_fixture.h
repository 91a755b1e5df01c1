// Random syntax trees for tests: any tree that the parser could make, and thus any query of the grammar.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/sql/parse.h"
#include "query/sql/syntax.h"
#include "query/tree_arena.h"

namespace lapse::query::sql {

// Threads: one. The tree lives in the arena. The same seed gives the same tree. Make only one tree with each object.
class RandomTree {
 public:
  RandomTree(TreeArena* arena, uint64_t seed) : arena_(arena), random_(seed) {}

  const Query* NewQuery(int depth = 4) {
    auto* query = arena_->New<Query>();
    query->distinct = Chance(4);
    if (Chance(4)) query->top = Chance(4) ? Real(1.5) : NewCount();
    query->select = static_cast<Query::Select>(Below(3));
    if (query->select != Query::Select::kStar) {
      int count = query->select == Query::Select::kValue ? 1 : 1 + Below(3);
      std::vector<SelectItem> items;
      for (int i = 0; i < count; ++i) items.push_back(NewItem(query->select == Query::Select::kList, depth));
      query->items = arena_->Copy(std::span<const SelectItem>(items));
    }
    std::vector<Source> sources;
    for (int i = Below(3); i > 0; --i) {
      if (!sources.empty() && ++joins_ > kJoinsMax) break;
      sources.push_back(NewSource(depth));
    }
    query->sources = arena_->Copy(std::span<const Source>(sources));
    if (Chance(2)) query->where = NewExpression(depth);
    if (Chance(4)) query->group_by = List(1 + Below(3), depth);
    if (Chance(3)) {
      query->rank = Chance(4);
      std::vector<OrderItem> order;
      for (int i = Below(3); i >= 0; --i) order.push_back(NewOrder(query->rank, depth));
      query->order_by = arena_->Copy(std::span<const OrderItem>(order));
    }
    if (Chance(4)) {
      query->offset = NewCount();
      query->limit = NewCount();
    }
    return query;
  }

  const Expression* NewExpression(int depth) {
    if (depth <= 0 || Chance(5)) return NewLeaf();
    auto one = [&] { return NewExpression(depth - 1); };
    switch (Below(17)) {
      case 0: return Node(Kind::kProperty, {one()}, Name());
      case 1: return Node(Kind::kIndex, {one(), one()});
      case 2: return WithOperator(Kind::kUnary, 1 + Below(4), {one()});
      case 3:
      case 4: return WithOperator(Kind::kBinary, 5 + Below(18), {one(), one()});
      case 5: return NewChain(Kind::kAnd, depth);
      case 6: return NewChain(Kind::kOr, depth);
      case 7: return Negatable(Kind::kIn, Children(2 + Below(3), depth));
      case 8: {
        auto children = Children(2, depth);
        if (Chance(2)) children.push_back(Node(Kind::kString, {}, AnyText()));
        return Negatable(Kind::kLike, children);
      }
      case 9: return Negatable(Kind::kBetween, Children(3, depth));
      case 10: return Node(Kind::kCoalesce, {one(), one()});
      case 11: return Node(Kind::kConditional, {one(), one(), one()});
      case 12: return Node(Kind::kArray, Children(Below(3), depth));
      case 13: return NewObject(depth);
      case 14: return Node(Chance(4) ? Kind::kUdfCall : Kind::kCall, Children(Below(3), depth), Name());
      case 15: return Node(Kind::kLet, {one(), one()}, Name());
      default: return NewSubquery(depth);
    }
  }

 private:
  using Kind = ExpressionKind;
  using Children_ = std::vector<const Expression*>;

  int Below(int bound) { return static_cast<int>(random_() % static_cast<uint64_t>(bound)); }
  bool Chance(int one_in) { return Below(one_in) == 0; }

  // Contextual keywords are names everywhere else.
  std::string_view Name() {
    constexpr std::string_view kNames[] = {"c",    "a",    "b_1", "_x",       "All",      "first", "LAST", "let",
                                           "RANK", "root", "NaN", "Infinity", "selected", "x",     "oR_"};
    return kNames[Below(std::size(kNames))];
  }

  std::string_view AnyText() {
    constexpr std::string_view kTexts[] = {"",           "a",    "it's", "say \"x\"", "\\",     "/",
                                           "\b\f\n\r\t", "\x01", "\x7f", "\u00e9",    "\u1234", "\U0001F600",
                                           "select",     "--",   "/* ",  "a b",       "order"};
    return kTexts[Below(std::size(kTexts))];
  }

  Expression* New(Kind kind) {
    auto* node = arena_->New<Expression>();
    node->kind = kind;
    return node;
  }

  const Expression* Node(Kind kind, const Children_& children = {}, std::string_view text = {}) {
    Expression* node = New(kind);
    node->text = text;
    node->children = arena_->Copy(std::span<const Expression* const>(children));
    return node;
  }

  const Expression* WithOperator(Kind kind, int op, const Children_& children) {
    auto* node = const_cast<Expression*>(Node(kind, children));
    node->op = static_cast<Operator>(op);
    return node;
  }

  const Expression* Negatable(Kind kind, const Children_& children) {
    auto* node = const_cast<Expression*>(Node(kind, children));
    node->negated = Chance(2);
    return node;
  }

  const Expression* Integer(int64_t value) {
    Expression* node = New(Kind::kInteger);
    node->integer = value;
    return node;
  }

  const Expression* Real(double value) {
    Expression* node = New(Kind::kReal);
    node->real = value;
    return node;
  }

  Children_ Children(int count, int depth) {
    Children_ children;
    for (int i = 0; i < count; ++i) children.push_back(NewExpression(depth - 1));
    return children;
  }

  std::span<const Expression* const> List(int count, int depth) {
    auto children = Children(count, depth);
    return arena_->Copy(std::span<const Expression* const>(children));
  }

  const Expression* NewLeaf() {
    switch (Below(10)) {
      case 0: return New(Kind::kUndefined);
      case 1: return New(Kind::kNull);
      case 2: return New(Kind::kTrue);
      case 3: return New(Kind::kFalse);
      case 4: return Integer(Below(2000) - 1000);
      case 5: return NewNumber();
      case 6: return Node(Kind::kString, {}, AnyText());
      case 7: return Node(Kind::kParameter, {}, Chance(2) ? "@p" : "@1");
      default: return Node(Kind::kIdentifier, {}, Name());
    }
  }

  const Expression* NewNumber() {
    constexpr int64_t kIntegers[] = {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
                                     (int64_t{1} << 53) + 1, -1, 0};
    constexpr double kReals[] = {-0.0,    0.1,    -1337.42,           1e300,
                                 -1e-300, 5e-324, 9007199254740994.0, 1.7976931348623157e308};
    return Chance(2) ? Integer(kIntegers[Below(std::size(kIntegers))]) : Real(kReals[Below(std::size(kReals))]);
  }

  // The first operand must not be a chain of the same kind: the parser would have merged the two.
  const Expression* NewChain(Kind kind, int depth) {
    auto children = Children(2 + Below(3), depth);
    if (children[0]->kind == kind) children[0] = NewLeaf();
    return Node(kind, children);
  }

  const Expression* NewObject(int depth) {
    Children_ children;
    for (int i = Below(3); i > 0; --i) {
      children.push_back(Node(Kind::kString, {}, Chance(2) ? Name() : AnyText()));
      children.push_back(NewExpression(depth - 1));
    }
    return Node(Kind::kObject, children);
  }

  const Expression* NewSubquery(int depth) {
    constexpr Kind kKinds[] = {Kind::kSubquery, Kind::kExists, Kind::kArrayOf, Kind::kAll, Kind::kFirst, Kind::kLast};
    Expression* node = New(kKinds[Below(std::size(kKinds))]);
    node->query = NewQuery(depth - 2);
    return node;
  }

  const Expression* NewCount() { return Chance(2) ? Integer(Below(100)) : Node(Kind::kParameter, {}, "@count"); }

  const Expression* NewPath() {
    const Expression* path = Node(Kind::kIdentifier, {}, Name());
    for (int i = Below(3); i > 0; --i) {
      if (Chance(2)) {
        path = Node(Kind::kProperty, {path}, Name());
      } else {
        path = Node(Kind::kIndex, {path, Chance(2) ? Integer(Below(9)) : Node(Kind::kString, {}, AnyText())});
      }
    }
    return path;
  }

  SelectItem NewItem(bool may_have_alias, int depth) {
    SelectItem item;
    item.expression = NewExpression(depth);
    item.has_alias = may_have_alias && Chance(2);
    if (item.has_alias) item.alias = Chance(2) ? Name() : AnyText();
    return item;
  }

  Source NewSource(int depth) {
    Source source;
    source.iterates = Chance(2);
    source.has_alias = source.iterates || Chance(2);
    if (source.has_alias) source.alias = Name();
    if (Chance(3)) {
      source.query = NewQuery(depth - 2);
    } else {
      source.path = NewPath();
    }
    return source;
  }

  OrderItem NewOrder(bool rank, int depth) {
    OrderItem item;
    item.expression = rank ? Node(Kind::kCall, Children(Below(3), depth), Name()) : NewExpression(depth);
    item.direction = static_cast<OrderItem::Direction>(1 + Below(2));
    if (item.expression->kind == Kind::kCall && Chance(2)) item.direction = OrderItem::Direction::kUnspecified;
    return item;
  }

  TreeArena* arena_;
  std::mt19937_64 random_;
  int joins_ = 0;  // of all queries together
};

}  // namespace lapse::query::sql
