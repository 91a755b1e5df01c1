#include "query/functions/arrays.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <optional>
#include <span>

#include "query/functions/arithmetic.h"
#include "query/functions/set_of.h"
#include "query/values/builder.h"
#include "query/values/compare.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

Value ArrayConcat(EvalContext& context, Arguments arguments) {
  for (const Value& array : arguments) {
    if (!array.IsArray()) return {};
  }
  ArrayBuilder all(&context.arena());
  for (const Value& array : arguments) {
    Elements elements(array);
    while (auto element = elements.Next()) all.Append(*element);
  }
  return all.Finish();
}

bool HasAllMembers(Value element, Value object) {
  if (!element.IsObject()) return false;
  doc::Reader members(object.AsDocument());
  while (auto member = members.Next()) {
    const Value own = Property(element, member->name);
    if (own.IsUndefined() || !SameValue(own, Value::FromBson(member->value))) return false;
  }
  return true;
}

bool Contains(Value array, Value value, bool partial) {
  Elements elements(array);
  while (auto element = elements.Next()) {
    if (partial ? HasAllMembers(*element, value) : SameValue(*element, value)) return true;
  }
  return false;
}

// Looks for each member of an object in each element.
Value ArrayContains(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsArray() || arguments[1].IsUndefined()) return {};
  bool partial = false;
  if (arguments.size() > 2) {
    if (!arguments[2].IsBool()) return {};
    partial = arguments[2].AsBool() && arguments[1].IsObject();
  }
  if (arguments[1].IsObject() && !context.Spend(StepsFor(arguments[0]) * CountOf(arguments[1]))) return {};
  return Value::Bool(Contains(arguments[0], arguments[1], partial));
}

template <bool kAll>
Value ArrayContainsSome(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsArray()) return {};
  if (!context.Spend(StepsFor(arguments[0]) * arguments.size())) return {};
  const Arguments wanted = arguments.subspan(1);
  // More values than this are looked up in a set, instead of comparing each with all elements.
  constexpr size_t kLookedForMax = 16;
  std::optional<ValueSet> elements;
  if (wanted.size() > kLookedForMax) elements = SetOf(context, arguments[0]);
  size_t found = 0;
  for (const Value& value : wanted) {
    if (value.IsUndefined()) return {};
    if (elements.has_value() ? elements->Contains(value) : Contains(arguments[0], value, false)) ++found;
  }
  return Value::Bool(kAll ? found == wanted.size() : found > 0);
}

Value ArrayLength(EvalContext&, Arguments arguments) {
  return arguments[0].IsArray() ? Value::Int64(static_cast<int64_t>(CountOf(arguments[0]))) : Value();
}

Value ArraySlice(EvalContext& context, Arguments arguments) {
  const auto start = IntegerOf(arguments[1]);
  if (!arguments[0].IsArray() || !start) return {};
  int64_t left = std::numeric_limits<int64_t>::max();
  if (arguments.size() > 2) {
    const auto count = IntegerOf(arguments[2]);
    if (!count) return {};
    left = *count;
  }
  const auto length = static_cast<int64_t>(CountOf(arguments[0]));
  int64_t skip = *start >= 0 ? *start : std::max<int64_t>(0, length + std::max(*start, -length));
  ArrayBuilder slice(&context.arena());
  Elements elements(arguments[0]);
  while (left > 0) {
    const auto element = elements.Next();
    if (!element) break;
    if (skip-- > 0) continue;
    slice.Append(*element);
    --left;
  }
  return slice.Finish();
}

// Adds the elements. Undefined if one is not a number.
Value SumOf(EvalContext& context, Value array, int64_t* count) {
  if (!array.IsArray()) return {};
  Value sum = Value::Int64(0);
  Elements elements(array);
  while (auto element = elements.Next()) {
    const Value terms[] = {sum, *element};
    sum = kAdd.evaluate(context, Arguments(terms));
    if (sum.IsUndefined()) return {};
    ++*count;
  }
  return sum;
}

Value ArraySum(EvalContext& context, Arguments arguments) {
  int64_t count = 0;
  return SumOf(context, arguments[0], &count);
}

Value ArrayAvg(EvalContext& context, Arguments arguments) {
  int64_t count = 0;
  const Value sum = SumOf(context, arguments[0], &count);
  if (sum.IsUndefined() || count == 0) return {};
  return NumberValue(sum.AsDouble() / static_cast<double>(count));
}

Value ArrayMedian(EvalContext& context, Arguments arguments) {
  if (!arguments[0].IsArray()) return {};
  const size_t count = CountOf(arguments[0]);
  if (count == 0) return {};
  auto* place = reinterpret_cast<Value*>(context.arena().Allocate(count * sizeof(Value)));
  if (place == nullptr) return {};
  const std::span<Value> numbers(place, count);
  Elements elements(arguments[0]);
  for (Value& number : numbers) {
    const Value element = *elements.Next();
    if (!element.IsNumber()) return {};
    new (&number) Value(element);
  }
  const auto less = [](const Value& a, const Value& b) { return std::is_lt(OrderOf(a, b)); };
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(numbers.begin(), middle, numbers.end(), less);
  if (count % 2 == 1) return *middle;
  const Value below = *std::max_element(numbers.begin(), middle, less);
  return NumberValue((below.AsDouble() + middle->AsDouble()) / 2);
}

template <bool kLeast>
Value ArrayExtreme(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsArray()) return {};
  Value best;
  Elements elements(arguments[0]);
  while (auto element = elements.Next()) {
    if (element->IsArray() || element->IsObject()) return {};
    const bool better = kLeast ? std::is_lt(OrderOf(*element, best)) : std::is_gt(OrderOf(*element, best));
    if (best.IsUndefined() || better) best = *element;
  }
  return best;
}

}  // namespace

const Function kArrayConcat = {2, Function::kAnyNumber, ArrayConcat};
const Function kArrayContains = {2, 3, ArrayContains};
const Function kArrayContainsAll = {2, Function::kAnyNumber, ArrayContainsSome<true>};
const Function kArrayContainsAny = {2, Function::kAnyNumber, ArrayContainsSome<false>};
const Function kArrayLength = {1, 1, ArrayLength};
const Function kArraySlice = {2, 3, ArraySlice};
const Function kArraySum = {1, 1, ArraySum};
const Function kArrayAvg = {1, 1, ArrayAvg};
const Function kArrayMedian = {1, 1, ArrayMedian};
const Function kArrayMin = {1, 1, ArrayExtreme<true>};
const Function kArrayMax = {1, 1, ArrayExtreme<false>};

}  // namespace lapse::query::functions
