#include "query/exec/evaluate.h"

#include <array>
#include <cassert>
#include <new>

#include "query/functions/function.h"
#include "query/values/builder.h"
#include "query/values/number.h"

namespace lapse::query::exec {
namespace {

using plan::Expression;
using plan::ExpressionKind;

// Room for the values of an expression's children: on the stack for the few that most have, else in the arena.
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

  // Empty when the arena has no room.
  std::span<Value> values() { return {values_, count_}; }

 private:
  std::array<Value, 4> few_;
  Value* values_ = few_.data();
  size_t count_;
};

}  // namespace

Value Evaluator::Evaluate(const Expression& expression, Row row) {
  switch (expression.kind) {
    case ExpressionKind::kConstant: return expression.value;
    case ExpressionKind::kVariable: return row[expression.slot];
    case ExpressionKind::kProperty: return Property(Evaluate(*expression.children[0], row), expression.name);
    case ExpressionKind::kElement: return Element(Evaluate(*expression.children[0], row), expression.index);
    case ExpressionKind::kCall: return Call(expression, row);
    case ExpressionKind::kObject: return MakeObject(expression, row);
    case ExpressionKind::kArray: return MakeArray(expression, row);
    case ExpressionKind::kAnd: return Every(expression, row);
    case ExpressionKind::kOr: return Any(expression, row);
    case ExpressionKind::kCoalesce: return FirstDefined(expression, row);
    case ExpressionKind::kConditional: {
      const bool chosen = Evaluate(*expression.children[0], row).IsTrue();
      return Evaluate(*expression.children[chosen ? 1 : 2], row);
    }
    case ExpressionKind::kChoose: return Choose(expression, row);
    case ExpressionKind::kLet:
      row[expression.slot] = Evaluate(*expression.children[0], row);
      return Evaluate(*expression.children[1], row);
    case ExpressionKind::kSubquery:
      assert(subqueries_ != nullptr);
      return subqueries_->Run(*expression.query, expression.mode, row);
  }
  return {};
}

Value Evaluator::Call(const Expression& call, Row row) {
  ChildValues arguments(&context_.arena(), call.children.size());
  const std::span<Value> values = arguments.values();
  if (values.size() != call.children.size()) return {};
  for (size_t i = 0; i < values.size(); ++i) values[i] = Evaluate(*call.children[i], row);
  return call.function->evaluate(context_, values);
}

// All members are evaluated before the object is begun: then it grows at the end of the arena, and in one piece.
Value Evaluator::MakeObject(const Expression& object, Row row) {
  ChildValues members(&context_.arena(), object.children.size());
  const std::span<Value> values = members.values();
  if (values.size() != object.children.size()) return {};
  for (size_t i = 0; i < values.size(); ++i) values[i] = Evaluate(*object.children[i], row);
  ObjectBuilder builder(&context_.arena());
  for (size_t i = 0; i < values.size(); ++i) builder.Add(object.names[i], values[i]);
  return builder.Finish();
}

Value Evaluator::MakeArray(const Expression& array, Row row) {
  ChildValues elements(&context_.arena(), array.children.size());
  const std::span<Value> values = elements.values();
  if (values.size() != array.children.size()) return {};
  for (size_t i = 0; i < values.size(); ++i) values[i] = Evaluate(*array.children[i], row);
  ArrayBuilder builder(&context_.arena());
  for (const Value& value : values) builder.Append(value);
  return builder.Finish();
}

Value Evaluator::Every(const Expression& terms, Row row) {
  bool all_true = true;
  for (const Expression* term : terms.children) {
    const Value value = Evaluate(*term, row);
    if (value.IsTrue()) continue;
    if (value.IsBool()) return value;
    all_true = false;
  }
  return all_true ? Value::Bool(true) : Value();
}

Value Evaluator::Any(const Expression& terms, Row row) {
  bool all_false = true;
  for (const Expression* term : terms.children) {
    const Value value = Evaluate(*term, row);
    if (value.IsTrue()) return value;
    all_false = all_false && value.IsBool();
  }
  return all_false ? Value::Bool(false) : Value();
}

Value Evaluator::FirstDefined(const Expression& choices, Row row) {
  for (const Expression* choice : choices.children) {
    const Value value = Evaluate(*choice, row);
    if (!value.IsUndefined()) return value;
  }
  return {};
}

Value Evaluator::Choose(const Expression& choice, Row row) {
  const auto number = IntegerOf(Evaluate(*choice.children[0], row));
  if (!number || *number < 1 || static_cast<uint64_t>(*number) >= choice.children.size()) return {};
  return Evaluate(*choice.children[static_cast<size_t>(*number)], row);
}

}  // namespace lapse::query::exec
