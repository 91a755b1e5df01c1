#include "query/exec/eval/evaluator.h"

#include <array>
#include <cstddef>
#include <new>

#include "query/functions/function.h"
#include "query/values/builder.h"
#include "query/values/number.h"

namespace lapse::query::exec {
namespace {

using plan::Expression;
using plan::ExpressionKind;

// Room for the values of an expression's children. The few that most expressions have are on the stack, more are in the
// arena.
class ChildValues {
 public:
  ChildValues(Arena* arena, size_t count) : count_(count) {
    if (count <= few_.size()) return;
    values_ = reinterpret_cast<Value*>(arena->Allocate(count * sizeof(Value)));
    if (values_ == nullptr) {
      count_ = 0;
      return;
    }
    for (size_t i = 0; i < count; ++i) new (values_ + i) Value();
  }
  ChildValues(const ChildValues&) = delete;
  ChildValues& operator=(const ChildValues&) = delete;

  std::span<Value> values() { return {values_, count_}; }

 private:
  std::array<Value, 4> few_;
  Value* values_ = few_.data();
  size_t count_;
};

bool IsFalse(Value value) {
  return value.IsBool() && !value.AsBool();
}

}  // namespace

Evaluator::Evaluator(plan::Slot slots, const EvalSettings& settings, NewSubqueryRunner new_subquery)
    : new_subquery_(new_subquery),
      context_(settings),
      slots_(slots),
      item_arena_(settings.memory_bytes_max, settings.pool) {}
Evaluator::~Evaluator() = default;

void Evaluator::SetItem(plan::Slot slot, const ItemView* item, uint64_t look_steps) {
  item_slot_ = slot;
  look_steps_ = look_steps;
  item_ = item;
  whole_item_ = Value();
  item_arena_.Rewind({});
}

// The value of each part of an expression is charged, since the enclosing expression reads it.
Value Evaluator::EvaluateCounted(const Expression& expression) {
  if (context_.failed()) return {};
  const Value value = ValueOf(expression);
  context_.Spend(StepsFor(value));
  return value;
}

Value Evaluator::ValueOf(const Expression& expression) {
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
  if (whole_item_.IsUndefined()) {
    whole_item_ = item_->Whole(&item_arena_);
    if (item_arena_.exhausted()) FailForMemory(item_arena_);
  }
  return whole_item_;
}

Value Evaluator::PropertyOf(const Expression& expression) {
  const Expression& from = *expression.children[0];
  if (from.kind == ExpressionKind::kVariable && IsItem(from.slot)) {
    context_.Spend(look_steps_);
    return item_->Property(expression.name, &arena());
  }
  return Property(Evaluate(from), expression.name);
}

// Returns false, with the arena exhausted, if there is no room.
bool Evaluator::EvaluateAll(std::span<const Expression* const> expressions, std::span<Value> values) {
  if (values.size() != expressions.size()) return false;
  for (size_t i = 0; i < values.size(); ++i) values[i] = Evaluate(*expressions[i]);
  return true;
}

Value Evaluator::Call(const Expression& expression) {
  ChildValues arguments(&arena(), expression.children.size());
  if (!EvaluateAll(expression.children, arguments.values())) return {};
  return expression.function->evaluate(context_, arguments.values());
}

// Evaluates all members before it begins the object, so that the object grows at the end of the arena in one piece.
Value Evaluator::Object(const Expression& expression) {
  ChildValues members(&arena(), expression.children.size());
  if (!EvaluateAll(expression.children, members.values())) return {};
  ObjectBuilder object(&arena());
  for (size_t i = 0; i < expression.names.size(); ++i) object.Add(expression.names[i], members.values()[i]);
  return object.Finish();
}

Value Evaluator::Array(const Expression& expression) {
  ChildValues elements(&arena(), expression.children.size());
  if (!EvaluateAll(expression.children, elements.values())) return {};
  ArrayBuilder array(&arena());
  for (const Value& value : elements.values()) array.Append(value);
  return array.Finish();
}

// Anything but a bool counts as undefined. A false side decides, whatever comes before it.
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
  const auto number = IntegerOf(Evaluate(*expression.children[0]));
  if (!number || *number < 1 || static_cast<uint64_t>(*number) >= expression.children.size()) return {};
  return Evaluate(*expression.children[static_cast<size_t>(*number)]);
}

Value Evaluator::RunSubquery(const Expression& expression) {
  std::unique_ptr<SubqueryRunner>& subquery = subqueries_[expression.query];
  if (subquery == nullptr && new_subquery_ == nullptr) {
    Fail({Code::kInternal, "a sub-query in an expression that is evaluated without a query"});
    return {};
  }
  if (subquery == nullptr) subquery = new_subquery_(*expression.query, this);
  return subquery->Run(expression.mode);
}

}  // namespace lapse::query::exec
