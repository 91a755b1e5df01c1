#include "query/functions/comparison.h"

#include "query/values/compare.h"
#include "query/values/logic.h"

namespace lapse::query::functions {
namespace {

using OfTwo = Value (*)(Value a, Value b);

template <OfTwo kCompare>
Value Compare(EvalContext&, Arguments arguments) {
  return kCompare(arguments[0], arguments[1]);
}

Value NotEqual(Value a, Value b) {
  return Not(EqualValues(a, b));
}

Value Between(EvalContext&, Arguments arguments) {
  return And(GreaterOrEqual(arguments[0], arguments[1]), LessOrEqual(arguments[0], arguments[2]));
}

// Arrays and objects are traversed for each member.
Value In(EvalContext& context, Arguments arguments) {
  if (arguments[0].IsUndefined()) return {};
  const bool is_walked = arguments[0].IsArray() || arguments[0].IsObject();
  if (is_walked && !context.Spend(StepsFor(arguments[0]) * arguments.size())) return {};
  for (const Value& member : arguments.subspan(1)) {
    if (EqualValues(arguments[0], member).IsTrue()) return Value::Bool(true);
  }
  return Value::Bool(false);
}

Value Negation(EvalContext&, Arguments arguments) {
  return Not(arguments[0]);
}

}  // namespace

const Function kEqual = {2, 2, Compare<EqualValues>};
const Function kNotEqual = {2, 2, Compare<NotEqual>};
const Function kLess = {2, 2, Compare<LessThan>};
const Function kLessOrEqual = {2, 2, Compare<LessOrEqual>};
const Function kGreater = {2, 2, Compare<GreaterThan>};
const Function kGreaterOrEqual = {2, 2, Compare<GreaterOrEqual>};
const Function kBetween = {3, 3, Between};
const Function kIn = {2, Function::kAnyNumber, In};
const Function kNot = {1, 1, Negation};

}  // namespace lapse::query::functions
