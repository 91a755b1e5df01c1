#include "query/functions/sets.h"

#include "query/functions/set_of.h"
#include "query/values/builder.h"
#include "query/values/value_set.h"

namespace lapse::query::functions {
namespace {

bool AreArrays(Arguments arguments) {
  return arguments[0].IsArray() && arguments[1].IsArray();
}

Value SetUnion(EvalContext& context, Arguments arguments) {
  if (!AreArrays(arguments)) return {};
  ValueSet seen(&context.arena(), context.hash_seed());
  ArrayBuilder all(&context.arena());
  for (const Value& array : arguments) {
    Elements elements(array);
    while (auto element = elements.Next()) {
      if (seen.Add(*element)) all.Append(*element);
      if (context.failed()) return {};
    }
  }
  return all.Finish();
}

// Returns the members of `from` that are, or are not, in `other`.
template <bool kInOther>
Value Chosen(EvalContext& context, Value from, Value other) {
  const ValueSet others = SetOf(context, other);
  ValueSet seen(&context.arena(), context.hash_seed());
  ArrayBuilder chosen(&context.arena());
  Elements elements(from);
  while (auto element = elements.Next()) {
    if (context.failed()) return {};
    if (others.Contains(*element) == kInOther && seen.Add(*element)) chosen.Append(*element);
  }
  return chosen.Finish();
}

Value SetIntersect(EvalContext& context, Arguments arguments) {
  return AreArrays(arguments) ? Chosen<true>(context, arguments[1], arguments[0]) : Value();
}

Value SetDifference(EvalContext& context, Arguments arguments) {
  return AreArrays(arguments) ? Chosen<false>(context, arguments[0], arguments[1]) : Value();
}

Value SetEqual(EvalContext& context, Arguments arguments) {
  if (!AreArrays(arguments)) return {};
  const ValueSet a = SetOf(context, arguments[0]);
  const ValueSet b = SetOf(context, arguments[1]);
  if (context.failed()) return {};
  if (a.size() != b.size()) return Value::Bool(false);
  Elements elements(arguments[0]);
  while (auto element = elements.Next()) {
    if (!b.Contains(*element)) return Value::Bool(false);
  }
  return Value::Bool(true);
}

Value ObjectToArray(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsObject()) return {};
  std::string_view key_name = "k";
  std::string_view value_name = "v";
  if (arguments.size() > 1) {
    if (!arguments[1].IsString()) return {};
    key_name = arguments[1].AsString();
  }
  if (arguments.size() > 2) {
    if (!arguments[2].IsString()) return {};
    value_name = arguments[2].AsString();
  }
  // An object has each name only once.
  if (key_name == value_name) return {};
  ArrayBuilder array(&context.arena());
  doc::Reader members(arguments[0].AsDocument());
  while (auto member = members.Next()) {
    ObjectBuilder pair(&context.arena());
    pair.Add(key_name, Value::String(member->name));
    pair.Add(value_name, Value::FromBson(member->value));
    const Value made = pair.Finish();
    if (made.IsUndefined()) return {};
    array.Append(made);
  }
  return array.Finish();
}

}  // namespace

const Function kSetDifference = {2, 2, SetDifference};
const Function kSetIntersect = {2, 2, SetIntersect};
const Function kSetUnion = {2, 2, SetUnion};
const Function kSetEqual = {2, 2, SetEqual};
const Function kObjectToArray = {1, 3, ObjectToArray};

}  // namespace lapse::query::functions
