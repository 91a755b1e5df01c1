// The syntax tree of a query: what the text says, before any name is resolved. The set of node types is closed: one
// struct for every expression, one for a query, and small ones for the parts of its clauses. Every node knows its
// position in the text.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "query/tree_arena.h"

namespace lapse::query::sql {

// Bytes [begin, end) of the query's text.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// The greatest height of a tree. Any code that walks a tree may recurse this deep.
inline constexpr int kTreeHeightMax = 256;

enum class ExpressionKind : uint8_t {
  kUndefined,
  kNull,
  kTrue,
  kFalse,
  kInteger,      // integer
  kReal,         // real: finite, and not a whole number that fits an integer, except for -0.0
  kString,       // text: without quotes and escapes
  kParameter,    // text: the name with its @
  kIdentifier,   // text
  kProperty,     // child 0 . text
  kIndex,        // child 0 [ child 1 ]
  kUnary,        // op child 0
  kBinary,       // child 0 op child 1
  kAnd,          // two or more children; child 0 is not kAnd, so a long chain is one flat node
  kOr,           // two or more children; child 0 is not kOr
  kIn,           // child 0 [NOT] IN (child 1, ...)
  kLike,         // child 0 [NOT] LIKE child 1 [ESCAPE child 2]
  kBetween,      // child 0 [NOT] BETWEEN child 1 AND child 2
  kCoalesce,     // child 0 ?? child 1
  kConditional,  // child 0 ? child 1 : child 2
  kArray,        // [child 0, ...]
  kObject,       // {child 0: child 1, ...}; the names are kString
  kCall,         // text(child 0, ...)
  kUdfCall,      // udf.text(child 0, ...)
  kSubquery,     // (query)
  kExists,       // EXISTS(query)
  kArrayOf,      // ARRAY(query)
  kAll,          // ALL(query)
  kFirst,        // FIRST(query)
  kLast,         // LAST(query)
  kLet,          // (LET text = child 0 IN child 1)
};

enum class Operator : uint8_t {
  kNone,
  // Unary
  kMinus,
  kPlus,
  kBitNot,
  kNot,
  // Binary
  kMultiply,
  kDivide,
  kModulo,
  kAdd,
  kSubtract,
  kBitAnd,
  kBitXor,
  kBitOr,
  kConcat,
  kEqual,
  kNotEqual,
  kLess,
  kGreater,
  kLessOrEqual,
  kGreaterOrEqual,
  kShiftLeft,
  kShiftRight,
  kShiftRightUnsigned,
};

struct Query;

struct Expression {
  ExpressionKind kind = ExpressionKind::kUndefined;
  Operator op = Operator::kNone;
  bool negated = false;  // NOT IN, NOT LIKE, NOT BETWEEN
  uint16_t height = 1;   // 1 for a leaf
  Span span;             // without surrounding parentheses
  std::string_view text;
  union {
    int64_t integer = 0;
    double real;
  };
  std::span<const Expression* const> children;
  const Query* query = nullptr;
};

struct SelectItem {
  const Expression* expression = nullptr;
  std::string_view alias;
  bool has_alias = false;
  Span alias_span;
};

// An operand of FROM or JOIN: a path (an identifier, then properties and constant indexes) or a sub-query.
struct Source {
  Span span;
  bool iterates = false;  // `alias IN ...`
  bool has_alias = false;
  std::string_view alias;
  Span alias_span;
  const Expression* path = nullptr;
  const Query* query = nullptr;  // set if there is no path
};

struct OrderItem {
  // A call keeps kUnspecified if the text gives no direction (VectorDistance has none). Anything else becomes
  // kAscending.
  enum class Direction : uint8_t { kUnspecified, kAscending, kDescending };

  const Expression* expression = nullptr;
  Direction direction = Direction::kUnspecified;
};

struct Query {
  enum class Select : uint8_t { kStar, kValue, kList };

  Span span;
  uint16_t height = 1;
  bool distinct = false;
  const Expression* top = nullptr;  // kInteger, kReal or kParameter
  Span top_span;                    // the whole clause, like all spans below
  Select select = Select::kStar;
  Span star_span;
  std::span<const SelectItem> items;  // kValue: exactly one, without an alias
  std::span<const Source> sources;    // empty: no FROM
  const Expression* where = nullptr;
  std::span<const Expression* const> group_by;
  Span group_by_span;
  bool rank = false;  // ORDER BY RANK
  std::span<const OrderItem> order_by;
  Span order_by_span;
  const Expression* offset = nullptr;  // kInteger or kParameter; both are set or neither is
  const Expression* limit = nullptr;
  Span offset_limit_span;
};

// Owns a query with all its nodes, and a copy of the text that they point into.
class SyntaxTree {
 public:
  SyntaxTree(std::unique_ptr<TreeArena> arena, std::string_view text, const Query* query)
      : arena_(std::move(arena)), text_(text), query_(query) {}

  const Query& query() const { return *query_; }
  std::string_view text() const { return text_; }

 private:
  std::unique_ptr<TreeArena> arena_;
  std::string_view text_;
  const Query* query_;
};

}  // namespace lapse::query::sql
