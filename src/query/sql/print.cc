#include "query/sql/print.h"

#include <string_view>

#include "query/sql/lexer.h"
#include "query/sql/literal.h"

namespace lapse::query::sql {
namespace {

std::string_view OperatorText(Operator op) {
  switch (op) {
    case Operator::kNone: return "";
    case Operator::kMinus:
    case Operator::kSubtract: return "-";
    case Operator::kPlus:
    case Operator::kAdd: return "+";
    case Operator::kBitNot: return "~";
    case Operator::kNot: return "NOT";
    case Operator::kMultiply: return "*";
    case Operator::kDivide: return "/";
    case Operator::kModulo: return "%";
    case Operator::kBitAnd: return "&";
    case Operator::kBitXor: return "^";
    case Operator::kBitOr: return "|";
    case Operator::kConcat: return "||";
    case Operator::kEqual: return "=";
    case Operator::kNotEqual: return "!=";
    case Operator::kLess: return "<";
    case Operator::kGreater: return ">";
    case Operator::kLessOrEqual: return "<=";
    case Operator::kGreaterOrEqual: return ">=";
    case Operator::kShiftLeft: return "<<";
    case Operator::kShiftRight: return ">>";
    case Operator::kShiftRightUnsigned: return ">>>";
  }
  return "";
}

// Recursion is as deep as the tree, which the parser bounds.
class Printer {
 public:
  explicit Printer(Chains chains) : chains_(chains) {}

  std::string Take() { return std::move(text_); }

  void PutQuery(const Query& query) {
    Put("SELECT ");
    if (query.distinct) Put("DISTINCT ");
    if (query.top != nullptr) {
      Put("TOP ");
      PutExpression(*query.top);
      Put(" ");
    }
    PutSelection(query);
    PutSources(query);
    if (query.where != nullptr) {
      Put(" WHERE ");
      PutExpression(*query.where);
    }
    if (!query.group_by.empty()) {
      Put(" GROUP BY ");
      PutList(query.group_by);
    }
    PutOrder(query);
    if (query.offset != nullptr) {
      Put(" OFFSET ");
      PutExpression(*query.offset);
      Put(" LIMIT ");
      PutExpression(*query.limit);
    }
  }

  void PutExpression(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::kUndefined: return Put("undefined");
      case ExpressionKind::kNull: return Put("null");
      case ExpressionKind::kTrue: return Put("true");
      case ExpressionKind::kFalse: return Put("false");
      case ExpressionKind::kInteger: return Put(std::to_string(e.integer));
      case ExpressionKind::kReal: return PrintReal(e.real, &text_);
      case ExpressionKind::kString: return PrintString(e.text, &text_);
      case ExpressionKind::kParameter:
      case ExpressionKind::kIdentifier: return Put(e.text);
      case ExpressionKind::kProperty:
        PutTarget(*e.children[0]);
        Put(".");
        return Put(e.text);
      case ExpressionKind::kIndex: PutTarget(*e.children[0]); return PutEnclosed("[", *e.children[1], "]");
      case ExpressionKind::kArray:
        Put("[");
        PutList(e.children);
        return Put("]");
      case ExpressionKind::kObject: return PutObject(e);
      case ExpressionKind::kUdfCall: Put("udf."); [[fallthrough]];
      case ExpressionKind::kCall:
        Put(e.text);
        Put("(");
        PutList(e.children);
        return Put(")");
      case ExpressionKind::kSubquery: return PutSubquery("", e);
      case ExpressionKind::kExists: return PutSubquery("EXISTS", e);
      case ExpressionKind::kArrayOf: return PutSubquery("ARRAY", e);
      case ExpressionKind::kAll: return PutSubquery("ALL", e);
      case ExpressionKind::kFirst: return PutSubquery("FIRST", e);
      case ExpressionKind::kLast: return PutSubquery("LAST", e);
      default: return PutOperation(e);
    }
  }

 private:
  void Put(std::string_view piece) { text_ += piece; }

  // Each in parentheses.
  void PutOperation(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::kUnary:
        Put("(");
        Put(OperatorText(e.op));
        return PutEnclosed(" ", *e.children[0], ")");
      case ExpressionKind::kBinary:
        PutEnclosed("(", *e.children[0], " ");
        Put(OperatorText(e.op));
        return PutEnclosed(" ", *e.children[1], ")");
      case ExpressionKind::kAnd: return PutChain(e, " AND ");
      case ExpressionKind::kOr: return PutChain(e, " OR ");
      case ExpressionKind::kIn:
        PutEnclosed("(", *e.children[0], e.negated ? " NOT IN (" : " IN (");
        PutList(e.children.subspan(1));
        return Put("))");
      case ExpressionKind::kLike:
        PutEnclosed("(", *e.children[0], e.negated ? " NOT LIKE " : " LIKE ");
        PutExpression(*e.children[1]);
        if (e.children.size() > 2) PutEnclosed(" ESCAPE ", *e.children[2], "");
        return Put(")");
      case ExpressionKind::kBetween:
        PutEnclosed("(", *e.children[0], e.negated ? " NOT BETWEEN " : " BETWEEN ");
        PutExpression(*e.children[1]);
        return PutEnclosed(" AND ", *e.children[2], ")");
      case ExpressionKind::kCoalesce:
        PutEnclosed("(", *e.children[0], " ?? ");
        return PutEnclosed("", *e.children[1], ")");
      case ExpressionKind::kConditional:
        PutEnclosed("(", *e.children[0], " ? ");
        PutExpression(*e.children[1]);
        return PutEnclosed(" : ", *e.children[2], ")");
      case ExpressionKind::kLet:
        Put("(LET ");
        Put(e.text);
        PutEnclosed(" = ", *e.children[0], " IN ");
        return PutEnclosed("", *e.children[1], ")");
      default: return;
    }
  }

  void PutEnclosed(std::string_view before, const Expression& e, std::string_view after) {
    Put(before);
    PutExpression(e);
    Put(after);
  }

  // Prints the base of a property or an element. A dot after digits would be read as part of the number.
  void PutTarget(const Expression& e) {
    bool is_number = e.kind == ExpressionKind::kInteger || e.kind == ExpressionKind::kReal;
    PutEnclosed(is_number ? "(" : "", e, is_number ? ")" : "");
  }

  void PutList(std::span<const Expression* const> list) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) Put(", ");
      PutExpression(*list[i]);
    }
  }

  void PutChain(const Expression& e, std::string_view between) {
    bool pairs = chains_ == Chains::kPairs;
    text_.append(pairs ? e.children.size() - 1 : 1, '(');
    PutExpression(*e.children[0]);
    for (const Expression* operand : e.children.subspan(1)) {
      Put(between);
      PutExpression(*operand);
      if (pairs) Put(")");
    }
    if (!pairs) Put(")");
  }

  void PutObject(const Expression& e) {
    Put("{");
    for (size_t i = 0; i < e.children.size(); i += 2) {
      if (i > 0) Put(", ");
      PrintString(e.children[i]->text, &text_);
      PutEnclosed(": ", *e.children[i + 1], "");
    }
    Put("}");
  }

  void PutSubquery(std::string_view word, const Expression& e) {
    Put(word);
    Put("(");
    PutQuery(*e.query);
    Put(")");
  }

  void PutSelection(const Query& query) {
    if (query.select == Query::Select::kStar) return Put("*");
    if (query.select == Query::Select::kValue) Put("VALUE ");
    for (const SelectItem& item : query.items) {
      if (&item != query.items.data()) Put(", ");
      PutExpression(*item.expression);
      if (!item.has_alias) continue;
      Put(" AS ");
      if (IsPlainName(item.alias)) {
        Put(item.alias);
      } else {
        PrintString(item.alias, &text_);
      }
    }
  }

  void PutSources(const Query& query) {
    for (const Source& source : query.sources) {
      Put(&source == query.sources.data() ? " FROM " : " JOIN ");
      if (source.iterates) {
        Put(source.alias);
        Put(" IN ");
      }
      if (source.path != nullptr) {
        PutExpression(*source.path);
      } else {
        Put("(");
        PutQuery(*source.query);
        Put(")");
      }
      if (source.has_alias && !source.iterates) {
        Put(" AS ");
        Put(source.alias);
      }
    }
  }

  void PutOrder(const Query& query) {
    if (query.order_by.empty()) return;
    Put(query.rank ? " ORDER BY RANK " : " ORDER BY ");
    for (const OrderItem& item : query.order_by) {
      if (&item != query.order_by.data()) Put(", ");
      PutExpression(*item.expression);
      if (item.direction == OrderItem::Direction::kAscending) Put(" ASC");
      if (item.direction == OrderItem::Direction::kDescending) Put(" DESC");
    }
  }

  Chains chains_;
  std::string text_;
};

}  // namespace

std::string Print(const Query& query, Chains chains) {
  Printer printer(chains);
  printer.PutQuery(query);
  return printer.Take();
}

std::string Print(const Expression& expression, Chains chains) {
  Printer printer(chains);
  printer.PutExpression(expression);
  return printer.Take();
}

}  // namespace lapse::query::sql
