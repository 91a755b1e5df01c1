#include "query/plan/describe.h"

#include <string_view>
#include <vector>

#include "doc/json.h"
#include "query/values/json_text.h"

namespace lapse::query::plan {
namespace {

std::string_view ModeName(SubqueryMode mode) {
  switch (mode) {
    case SubqueryMode::kScalar: return "scalar";
    case SubqueryMode::kExists: return "exists";
    case SubqueryMode::kArray: return "array";
    case SubqueryMode::kFirst: return "first";
    case SubqueryMode::kLast: return "last";
  }
  return "";
}

// Recursion is as deep as the expression or the nested sub-queries. The front end bounds both.
class Describer {
 public:
  std::string Take() { return std::move(text_); }

  void PutQuery(const Query& query) {
    std::vector<const Operator*> chain;
    for (const Operator* one = query.last; one != nullptr; one = one->input) chain.push_back(one);
    for (auto one = chain.rbegin(); one != chain.rend(); ++one) {
      if (one != chain.rbegin()) Put(" | ");
      PutOperator(**one);
    }
  }

  void PutExpression(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::kConstant: return PutValue(e.value);
      case ExpressionKind::kVariable: return PutSlot(e.slot);
      case ExpressionKind::kProperty:
        PutExpression(*e.children[0]);
        Put(".");
        return Put(e.name);
      case ExpressionKind::kElement: PutExpression(*e.children[0]); return Put("[" + std::to_string(e.index) + "]");
      case ExpressionKind::kCall: return PutCall(e.name, e);
      case ExpressionKind::kObject: return PutObject(e);
      case ExpressionKind::kArray:
        Put("[");
        PutList(e);
        return Put("]");
      case ExpressionKind::kAnd: return PutCall("and", e);
      case ExpressionKind::kOr: return PutCall("or", e);
      case ExpressionKind::kCoalesce: return PutCall("coalesce", e);
      case ExpressionKind::kConditional: return PutCall("if", e);
      case ExpressionKind::kChoose: return PutCall("choose", e);
      case ExpressionKind::kLet:
        Put("let ");
        PutSlot(e.slot);
        return PutCall("", e);
      case ExpressionKind::kSubquery:
        Put(ModeName(e.mode));
        Put("<");
        PutQuery(*e.query);
        return Put(">");
    }
  }

 private:
  void Put(std::string_view piece) { text_ += piece; }
  void PutSlot(Slot slot) { Put("$" + std::to_string(slot)); }

  void PutValue(Value value) {
    if (value.IsUndefined()) return Put("undefined");
    AppendJson(value, &text_);
  }

  void PutList(const Expression& e) {
    for (size_t i = 0; i < e.children.size(); ++i) {
      if (i > 0) Put(", ");
      PutExpression(*e.children[i]);
    }
  }

  void PutCall(std::string_view name, const Expression& e) {
    Put(name);
    Put("(");
    PutList(e);
    Put(")");
  }

  void PutObject(const Expression& e) {
    Put("{");
    for (size_t i = 0; i < e.children.size(); ++i) {
      if (i > 0) Put(", ");
      doc::StringToJson(e.names[i], &text_);
      Put(": ");
      PutExpression(*e.children[i]);
    }
    Put("}");
  }

  void PutWithSlot(std::string_view word, const Operator& one) {
    Put(word);
    PutExpression(*one.expression);
    Put(" ");
    PutSlot(one.slot);
  }

  void PutOperator(const Operator& one) {
    switch (one.kind) {
      case OperatorKind::kOnce: return Put("once");
      case OperatorKind::kScan: Put("scan "); return PutSlot(one.slot);
      case OperatorKind::kProject: return PutWithSlot("project ", one);
      case OperatorKind::kUnnest: return PutWithSlot("unnest ", one);
      case OperatorKind::kApply:
        Put("apply <");
        PutQuery(*one.query);
        Put("> ");
        return PutSlot(one.slot);
      case OperatorKind::kFilter: Put("filter "); return PutExpression(*one.expression);
      case OperatorKind::kAggregate: return PutAggregate(one);
      case OperatorKind::kSort: return PutSort(one);
      case OperatorKind::kDistinct: Put("distinct "); return PutSlot(one.slot);
      case OperatorKind::kSlice:
        Put("slice " + std::to_string(one.offset));
        return Put(one.limit ? " " + std::to_string(*one.limit) : "");
    }
  }

  void PutAggregate(const Operator& one) {
    Put("aggregate");
    for (const GroupKey& key : one.group_keys) {
      Put(" by ");
      PutExpression(*key.expression);
      Put(" ");
      PutSlot(key.slot);
    }
    for (const AggregateCall& aggregate : one.aggregates) {
      Put(" ");
      Put(aggregate.name);
      Put("(");
      PutExpression(*aggregate.argument);
      Put(") ");
      PutSlot(aggregate.slot);
    }
  }

  void PutSort(const Operator& one) {
    Put("sort");
    for (const SortKey& key : one.sort_keys) {
      Put(&key == one.sort_keys.data() ? " " : ", ");
      PutExpression(*key.expression);
      if (key.direction == SortKey::Direction::kDescending) Put(" descending");
      if (key.direction == SortKey::Direction::kMostSimilar) Put(" most similar");
    }
  }

  std::string text_;
};

}  // namespace

std::string Describe(const Query& query) {
  Describer describer;
  describer.PutQuery(query);
  return describer.Take();
}

std::string Describe(const Expression& expression) {
  Describer describer;
  describer.PutExpression(expression);
  return describer.Take();
}

std::string Describe(const Path& path) {
  std::string text;
  for (const PathStep& step : path) {
    if (step.into_elements) {
      text += "[]";
    } else {
      text.append("/").append(step.name);
    }
  }
  return text;
}

std::string Describe(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kEverything: return condition.exact ? "everything" : "unknown";
    case Condition::Kind::kPath: break;
    case Condition::Kind::kNear: {
      std::string distance = std::to_string(condition.distance_m);
      distance.erase(distance.find('.') == std::string::npos ? distance.size() : distance.find('.'));
      return Describe(condition.path) + ": ~within " + distance + " m of a geometry";
    }
    case Condition::Kind::kAll:
    case Condition::Kind::kAny: {
      if (condition.IsNothing()) return "nothing";
      const std::string_view word = condition.kind == Condition::Kind::kAll ? " and " : " or ";
      std::string text = condition.exact ? "(" : "~(";
      for (const Condition& part : condition.parts) {
        if (&part != &condition.parts.front()) text += word;
        text += Describe(part);
      }
      return text + ")";
    }
  }
  std::string text = Describe(condition.path) + (condition.exact ? ": " : ": ~");
  for (const ValueRange& range : condition.ranges) {
    if (&range != &condition.ranges.front()) text += ", ";
    text += Describe(range);
  }
  return text;
}

}  // namespace lapse::query::plan
