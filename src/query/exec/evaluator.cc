#include "query/exec/evaluator.h"

#include <array>
#include <cstddef>

#include "query/exec/subquery.h"
#include "query/functions/function.h"
#include "query/values/builder.h"

namespace lapse::query::exec {
namespace {

using plan::Expression;
using plan::ExpressionKind;

// Calls with more arguments put them into a vector.
constexpr size_t kFewArguments = 8;

bool IsFalse(Value value) {
  return value.IsBool() && !value.AsBool();
}

}  // namespace

Evaluator::Evaluator(plan::Slot slots, const EvalSettings& settings) : context_(settings), slots_(slots) {}
Evaluator::~Evaluator() = default;

void Evaluator::SetItem(plan::Slot slot, const ItemView* item) {
  item_slot_ = slot;
  item_ = item;
  whole_item_ = Value();
}

Value Evaluator::Evaluate(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kConstant: return expression.value;
    case ExpressionKind::kVariable: return Variable(expression.slot);
    case ExpressionKind::kProperty: return PropertyOf(expression);
    case ExpressionKind::kElement: return Element(Evaluate(*expression.children[0]), expression.index);
    case ExpressionKind::kCall: return Call(expression);
    case ExpressionKind::kObject: return Object(expression);
    case ExpressionKind::kArray: return Array(expression);
    case ExpressionKind::kAnd: return And(expression);
    case ExpressionKind::kOr: return Or(expression);
    case ExpressionKind::kCoalesce: return Coalesce(expression);
    case ExpressionKind::kConditional: return Evaluate(*expression.children[IsTrue(*expression.children[0]) ? 1 : 2]);
    case ExpressionKind::kChoose: return Choose(expression);
    case ExpressionKind::kLet:
      set_slot(expression.slot, Evaluate(*expression.children[0]));
      return Evaluate(*expression.children[1]);
    case ExpressionKind::kSubquery: return RunSubquery(expression);
  }
  return {};
}

Value Evaluator::Variable(plan::Slot slot) {
  if (!IsItem(slot)) return slots_[slot];
  if (whole_item_.IsUndefined()) whole_item_ = item_->Whole(&arena());
  return whole_item_;
}

Value Evaluator::PropertyOf(const Expression& expression) {
  const Expression& from = *expression.children[0];
  if (from.kind == ExpressionKind::kVariable && IsItem(from.slot)) return item_->Property(expression.name, &arena());
  return Property(Evaluate(from), expression.name);
}

Value Evaluator::Call(const Expression& expression) {
  const size_t count = expression.children.size();
  std::array<Value, kFewArguments> few;
  std::vector<Value> many;
  if (count > few.size()) many.resize(count);
  Value* const arguments = many.empty() ? few.data() : many.data();
  for (size_t i = 0; i < count; ++i) arguments[i] = Evaluate(*expression.children[i]);
  return expression.function->evaluate(context_, {arguments, count});
}

Value Evaluator::Object(const Expression& expression) {
  // Children that make something themselves come first: a builder wants to be the newest in the arena.
  std::vector<Value> values;
  values.reserve(expression.children.size());
  for (const Expression* child : expression.children) values.push_back(Evaluate(*child));
  ObjectBuilder object(&arena());
  for (size_t i = 0; i < values.size(); ++i) object.Add(expression.names[i], values[i]);
  return object.Finish();
}

Value Evaluator::Array(const Expression& expression) {
  std::vector<Value> values;
  values.reserve(expression.children.size());
  for (const Expression* child : expression.children) values.push_back(Evaluate(*child));
  ArrayBuilder array(&arena());
  for (const Value& value : values) array.Append(value);
  return array.Finish();
}

// What is no bool counts as undefined; a false side decides whatever comes before it.
Value Evaluator::And(const Expression& expression) {
  bool all_true = true;
  for (const Expression* child : expression.children) {
    const Value value = Evaluate(*child);
    if (IsFalse(value)) return value;
    all_true &= value.IsTrue();
  }
  return all_true ? Value::Bool(true) : Value();
}

Value Evaluator::Or(const Expression& expression) {
  bool all_false = true;
  for (const Expression* child : expression.children) {
    const Value value = Evaluate(*child);
    if (value.IsTrue()) return value;
    all_false &= IsFalse(value);
  }
  return all_false ? Value::Bool(false) : Value();
}

Value Evaluator::Coalesce(const Expression& expression) {
  for (const Expression* child : expression.children) {
    const Value value = Evaluate(*child);
    if (!value.IsUndefined()) return value;
  }
  return {};
}

Value Evaluator::Choose(const Expression& expression) {
  const Value which = Evaluate(*expression.children[0]);
  if (!which.IsNumber()) return {};
  const double place = which.AsDouble();
  if (!(place >= 1) || place >= static_cast<double>(expression.children.size())) return {};
  const auto index = static_cast<size_t>(place);
  return static_cast<double>(index) == place ? Evaluate(*expression.children[index]) : Value();
}

Value Evaluator::RunSubquery(const Expression& expression) {
  std::unique_ptr<Subquery>& subquery = subqueries_[expression.query];
  if (subquery == nullptr) subquery = std::make_unique<Subquery>(*expression.query, this);
  return subquery->Run(expression.mode);
}

}  // namespace lapse::query::exec
