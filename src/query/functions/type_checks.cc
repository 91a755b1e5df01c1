#include "query/functions/type_checks.h"

#include <cmath>

#include "query/functions/date_time.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

using Check = bool (*)(Value);

template <Check kCheck>
Value Evaluate(EvalContext&, Arguments arguments) {
  return Value::Bool(kCheck(arguments[0]));
}

bool IsArray(Value value) {
  return value.IsArray();
}
bool IsBool(Value value) {
  return value.IsBool();
}
bool IsDateTime(Value value) {
  return ReadDateTime(value).has_value();
}
bool IsDefined(Value value) {
  return !value.IsUndefined();
}
bool IsFiniteNumber(Value value) {
  return value.IsNumber() && std::isfinite(value.AsDouble());
}
bool IsInteger(Value value) {
  return IntegerOf(value).has_value();
}
bool IsNull(Value value) {
  return value.IsNull();
}
bool IsNumber(Value value) {
  return value.IsNumber();
}
bool IsObject(Value value) {
  return value.IsObject();
}
bool IsPrimitive(Value value) {
  return value.IsString() || value.IsNumber() || value.IsBool() || value.IsNull();
}
bool IsString(Value value) {
  return value.IsString();
}

}  // namespace

const Function kIsArray = {1, 1, Evaluate<IsArray>};
const Function kIsBool = {1, 1, Evaluate<IsBool>};
const Function kIsDateTime = {1, 1, Evaluate<IsDateTime>};
const Function kIsDefined = {1, 1, Evaluate<IsDefined>};
const Function kIsFiniteNumber = {1, 1, Evaluate<IsFiniteNumber>};
const Function kIsInteger = {1, 1, Evaluate<IsInteger>};
const Function kIsNull = {1, 1, Evaluate<IsNull>};
const Function kIsNumber = {1, 1, Evaluate<IsNumber>};
const Function kIsObject = {1, 1, Evaluate<IsObject>};
const Function kIsPrimitive = {1, 1, Evaluate<IsPrimitive>};
const Function kIsString = {1, 1, Evaluate<IsString>};

}  // namespace lapse::query::functions
