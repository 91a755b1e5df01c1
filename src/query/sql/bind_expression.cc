#include <cmath>
#include <limits>

#include "query/sql/binder.h"

namespace lapse::query::sql {

// Recursion is as deep as the syntax tree, which the parser bounds.
const plan::Expression* Binder::Bind(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::kUndefined: return NewConstant(Value(), &e);
    case ExpressionKind::kNull: return NewConstant(Value::Null(), &e);
    case ExpressionKind::kTrue: return NewConstant(Value::Bool(true), &e);
    case ExpressionKind::kFalse: return NewConstant(Value::Bool(false), &e);
    case ExpressionKind::kInteger: return NewConstant(Value::Int64(e.integer), &e);
    case ExpressionKind::kReal: return NewConstant(Value::Double(e.real), &e);
    case ExpressionKind::kString: return NewConstant(Value::String(e.text), &e);
    case ExpressionKind::kParameter: return BindParameter(e);
    case ExpressionKind::kIdentifier: return BindIdentifier(e);
    case ExpressionKind::kProperty: return NewProperty(Bind(*e.children[0]), e.text, &e);
    case ExpressionKind::kIndex: return BindIndex(e, Bind(*e.children[0]));
    case ExpressionKind::kUnary:
    case ExpressionKind::kBinary: return NewCall(FunctionOf(e.op), &e, BindList(e.children));
    case ExpressionKind::kAnd: return NewNode(plan::ExpressionKind::kAnd, &e, BindList(e.children));
    case ExpressionKind::kOr: return NewNode(plan::ExpressionKind::kOr, &e, BindList(e.children));
    case ExpressionKind::kIn: return BindNegatable(e, InFunction());
    case ExpressionKind::kLike: return BindNegatable(e, LikeFunction());
    case ExpressionKind::kBetween: return BindNegatable(e, BetweenFunction());
    case ExpressionKind::kCoalesce: return NewNode(plan::ExpressionKind::kCoalesce, &e, BindList(e.children));
    case ExpressionKind::kConditional: return NewNode(plan::ExpressionKind::kConditional, &e, BindList(e.children));
    case ExpressionKind::kArray: return NewNode(plan::ExpressionKind::kArray, &e, BindList(e.children));
    case ExpressionKind::kObject: return BindObject(e);
    case ExpressionKind::kCall: return BindCall(e);
    case ExpressionKind::kUdfCall: return Unsupported("user-defined function", e.span);
    case ExpressionKind::kSubquery: return BindSubquery(e, plan::SubqueryMode::kScalar);
    case ExpressionKind::kExists: return BindSubquery(e, plan::SubqueryMode::kExists);
    case ExpressionKind::kArrayOf: return BindSubquery(e, plan::SubqueryMode::kArray);
    case ExpressionKind::kFirst: return BindSubquery(e, plan::SubqueryMode::kFirst);
    case ExpressionKind::kLast: return BindSubquery(e, plan::SubqueryMode::kLast);
    case ExpressionKind::kAll: return BindAll(e);
    case ExpressionKind::kLet: return BindLet(e);
  }
  return NewConstant(Value(), &e);
}

const plan::Expression* Binder::BindIdentifier(const Expression& e) {
  const Variable* variable = Find(e.text);
  if (variable != nullptr) return NewVariable(variable->slot, &e);
  // Constants that are not words of the grammar: an alias of that name takes precedence.
  if (e.text == "NaN") return NewConstant(Value::Double(std::numeric_limits<double>::quiet_NaN()), &e);
  if (e.text == "Infinity") return NewConstant(Value::Double(std::numeric_limits<double>::infinity()), &e);
  return Unresolved(e);
}

const plan::Expression* Binder::BindParameter(const Expression& e) {
  plan::Expression* node = NewNode(plan::ExpressionKind::kConstant, &e);
  node->value = FindParameter(e).value_or(Value());
  return node;
}

// An index is known before the query runs: it is a literal or a parameter.
const plan::Expression* Binder::BindIndex(const Expression& e, const plan::Expression* target) {
  const Expression& index = *e.children[1];
  std::optional<Value> value;
  switch (index.kind) {
    case ExpressionKind::kString: value = Value::String(index.text); break;
    case ExpressionKind::kInteger: value = Value::Int64(index.integer); break;
    case ExpressionKind::kReal: value = Value::Double(index.real); break;
    case ExpressionKind::kParameter: value = FindParameter(index).value_or(Value()); break;
    default: return Unsupported("member indexer", index.span);
  }
  if (value->IsString()) return NewProperty(target, value->AsString(), &e);
  bool is_whole = value->kind() == Kind::kDouble && value->AsDouble() == std::trunc(value->AsDouble()) &&
                  std::abs(value->AsDouble()) <= 9007199254740992.0;
  if (is_whole) value = Value::Int64(static_cast<int64_t>(value->AsDouble()));
  // No array has an element with any other index.
  if (value->kind() != Kind::kInt64 || value->AsInt64() < 0) return NewConstant(Value(), &e);
  plan::Expression* node = NewNode(plan::ExpressionKind::kElement, &e);
  node->index = value->AsInt64();
  node->children = NewChildren({target});
  return node;
}

const plan::Expression* Binder::BindObject(const Expression& e) {
  size_t count = e.children.size() / 2;
  std::span<std::string_view> names = arena_->NewSpan<std::string_view>(count);
  std::span<const plan::Expression*> values = arena_->NewSpan<const plan::Expression*>(count);
  for (size_t i = 0; i < count; ++i) {
    names[i] = arena_->Copy(e.children[2 * i]->text);
    values[i] = Bind(*e.children[2 * i + 1]);
  }
  CheckNames(names, [&](size_t i) { return e.children[2 * i]->span; });
  plan::Expression* node = NewNode(plan::ExpressionKind::kObject, &e);
  node->names = names;
  node->children = values;
  return node;
}

const plan::Expression* Binder::BindLet(const Expression& e) {
  const plan::Expression* value = Bind(*e.children[0]);
  plan::Slot slot = NewSlot();
  variables_.push_back({.name = e.text, .slot = slot, .origin = Origin::kDerived});
  const plan::Expression* body = Bind(*e.children[1]);
  variables_.pop_back();
  plan::Expression* node = NewNode(plan::ExpressionKind::kLet, &e);
  node->slot = slot;
  node->children = NewChildren({value, body});
  return node;
}

const plan::Expression* Binder::BindSubquery(const Expression& e, plan::SubqueryMode mode) {
  plan::Expression* node = NewNode(plan::ExpressionKind::kSubquery, &e);
  node->mode = mode;
  node->query = arena_->New<plan::Query>(BindQuery(*e.query, Place::kNested));
  return node;
}

const plan::Expression* Binder::BindAll(const Expression& e) {
  plan::Expression* exists = NewNode(plan::ExpressionKind::kSubquery, &e);
  exists->mode = plan::SubqueryMode::kExists;
  exists->query = arena_->New<plan::Query>(BindCounterexamples(*e.query));
  return NewCall(FunctionOf(Operator::kNot), &e, NewChildren({exists}));
}

const plan::Expression* Binder::BindNegatable(const Expression& e, const OperatorFunction& function) {
  const plan::Expression* call = NewCall(function, &e, BindList(e.children));
  return e.negated ? NewCall(FunctionOf(Operator::kNot), &e, NewChildren({call})) : call;
}

Binder::Children Binder::BindList(std::span<const Expression* const> list) {
  std::span<const plan::Expression*> bound = arena_->NewSpan<const plan::Expression*>(list.size());
  for (size_t i = 0; i < list.size(); ++i) bound[i] = Bind(*list[i]);
  return bound;
}

}  // namespace lapse::query::sql
