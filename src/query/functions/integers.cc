#include "query/functions/integers.h"

#include <limits>
#include <optional>

#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

using OfTwoIntegers = std::optional<int64_t> (*)(int64_t a, int64_t b);

template <OfTwoIntegers kCompute>
Value OfIntegers(EvalContext&, Arguments arguments) {
  const auto a = IntegerOf(arguments[0]);
  const auto b = IntegerOf(arguments[1]);
  if (!a || !b) return {};
  const auto result = kCompute(*a, *b);
  return result ? Value::Int64(*result) : Value();
}

std::optional<int64_t> Add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}
std::optional<int64_t> Sub(int64_t a, int64_t b) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
  return difference;
}
std::optional<int64_t> Mul(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}
std::optional<int64_t> Div(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min())) return std::nullopt;
  return a / b;
}
std::optional<int64_t> Mod(int64_t a, int64_t b) {
  if (b == 0) return std::nullopt;
  return b == -1 ? 0 : a % b;
}
std::optional<int64_t> BitAnd(int64_t a, int64_t b) {
  return a & b;
}
std::optional<int64_t> BitOr(int64_t a, int64_t b) {
  return a | b;
}
std::optional<int64_t> BitXor(int64_t a, int64_t b) {
  return a ^ b;
}
std::optional<int64_t> LeftShift(int64_t a, int64_t b) {
  if (b < 0 || b > 63) return std::nullopt;
  return static_cast<int64_t>(static_cast<uint64_t>(a) << b);
}
std::optional<int64_t> RightShift(int64_t a, int64_t b) {
  if (b < 0 || b > 63) return std::nullopt;
  return a >> b;
}

Value IntBitNot(EvalContext&, Arguments arguments) {
  const auto number = IntegerOf(arguments[0]);
  return number ? Value::Int64(~*number) : Value();
}

}  // namespace

const Function kIntAdd = {2, 2, OfIntegers<Add>};
const Function kIntSub = {2, 2, OfIntegers<Sub>};
const Function kIntMul = {2, 2, OfIntegers<Mul>};
const Function kIntDiv = {2, 2, OfIntegers<Div>};
const Function kIntMod = {2, 2, OfIntegers<Mod>};
const Function kIntBitAnd = {2, 2, OfIntegers<BitAnd>};
const Function kIntBitOr = {2, 2, OfIntegers<BitOr>};
const Function kIntBitXor = {2, 2, OfIntegers<BitXor>};
const Function kIntBitNot = {1, 1, IntBitNot};
const Function kIntBitLeftShift = {2, 2, OfIntegers<LeftShift>};
const Function kIntBitRightShift = {2, 2, OfIntegers<RightShift>};

}  // namespace lapse::query::functions
