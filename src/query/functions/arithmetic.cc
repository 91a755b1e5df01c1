#include "query/functions/arithmetic.h"

#include <cmath>
#include <limits>

#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

bool AreIntegers(Arguments arguments) {
  return arguments[0].kind() == Kind::kInt64 && arguments[1].kind() == Kind::kInt64;
}

bool AreNumbers(Arguments arguments) {
  return arguments[0].IsNumber() && arguments[1].IsNumber();
}

Value Add(EvalContext&, Arguments arguments) {
  int64_t sum;
  if (AreIntegers(arguments) && !__builtin_add_overflow(arguments[0].AsInt64(), arguments[1].AsInt64(), &sum)) {
    return Value::Int64(sum);
  }
  return AreNumbers(arguments) ? NumberValue(arguments[0].AsDouble() + arguments[1].AsDouble()) : Value();
}

Value Subtract(EvalContext&, Arguments arguments) {
  int64_t difference;
  if (AreIntegers(arguments) && !__builtin_sub_overflow(arguments[0].AsInt64(), arguments[1].AsInt64(), &difference)) {
    return Value::Int64(difference);
  }
  return AreNumbers(arguments) ? NumberValue(arguments[0].AsDouble() - arguments[1].AsDouble()) : Value();
}

Value Multiply(EvalContext&, Arguments arguments) {
  int64_t product;
  if (AreIntegers(arguments) && !__builtin_mul_overflow(arguments[0].AsInt64(), arguments[1].AsInt64(), &product)) {
    return Value::Int64(product);
  }
  return AreNumbers(arguments) ? NumberValue(arguments[0].AsDouble() * arguments[1].AsDouble()) : Value();
}

Value Divide(EvalContext&, Arguments arguments) {
  return AreNumbers(arguments) ? NumberValue(arguments[0].AsDouble() / arguments[1].AsDouble()) : Value();
}

Value Remainder(EvalContext&, Arguments arguments) {
  if (AreIntegers(arguments) && arguments[1].AsInt64() != 0) {
    // The only division that overflows.
    if (arguments[1].AsInt64() == -1) return Value::Int64(0);
    return Value::Int64(arguments[0].AsInt64() % arguments[1].AsInt64());
  }
  return AreNumbers(arguments) ? NumberValue(std::fmod(arguments[0].AsDouble(), arguments[1].AsDouble())) : Value();
}

Value Negate(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsNumber()) return {};
  if (arguments[0].kind() == Kind::kInt64) {
    const int64_t number = arguments[0].AsInt64();
    if (number != std::numeric_limits<int64_t>::min()) return Value::Int64(-number);
  }
  return NumberValue(-arguments[0].AsDouble());
}

Value Plus(EvalContext&, Arguments arguments) {
  return arguments[0].IsNumber() ? arguments[0] : Value();
}

// Returns the low 32 bits of the whole part; 0 for NaN and infinities.
int32_t ToInt32(Value number) {
  if (number.kind() == Kind::kInt64) return static_cast<int32_t>(static_cast<uint32_t>(number.AsInt64()));
  constexpr double kTwoTo32 = 4294967296.0;
  const double real = number.AsDouble();
  if (!std::isfinite(real)) return 0;
  double rest = std::fmod(std::trunc(real), kTwoTo32);
  if (rest < 0) rest += kTwoTo32;
  return static_cast<int32_t>(static_cast<uint32_t>(rest));
}

using OfBits = int64_t (*)(int32_t a, int32_t b);

template <OfBits kCompute>
Value Bitwise(EvalContext&, Arguments arguments) {
  if (!AreNumbers(arguments)) return {};
  return Value::Int64(kCompute(ToInt32(arguments[0]), ToInt32(arguments[1])));
}

int64_t BitAnd(int32_t a, int32_t b) {
  return a & b;
}
int64_t BitOr(int32_t a, int32_t b) {
  return a | b;
}
int64_t BitXor(int32_t a, int32_t b) {
  return a ^ b;
}
int64_t ShiftLeft(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) << (b & 31));
}
int64_t ShiftRight(int32_t a, int32_t b) {
  return a >> (b & 31);
}
int64_t ShiftRightUnsigned(int32_t a, int32_t b) {
  return static_cast<uint32_t>(a) >> (b & 31);
}

Value BitNot(EvalContext&, Arguments arguments) {
  return arguments[0].IsNumber() ? Value::Int64(~ToInt32(arguments[0])) : Value();
}

}  // namespace

const Function kAdd = {2, 2, Add};
const Function kSubtract = {2, 2, Subtract};
const Function kMultiply = {2, 2, Multiply};
const Function kDivide = {2, 2, Divide};
const Function kRemainder = {2, 2, Remainder};
const Function kNegate = {1, 1, Negate};
const Function kPlus = {1, 1, Plus};
const Function kBitAnd = {2, 2, Bitwise<BitAnd>};
const Function kBitOr = {2, 2, Bitwise<BitOr>};
const Function kBitXor = {2, 2, Bitwise<BitXor>};
const Function kBitNot = {1, 1, BitNot};
const Function kShiftLeft = {2, 2, Bitwise<ShiftLeft>};
const Function kShiftRight = {2, 2, Bitwise<ShiftRight>};
const Function kShiftRightUnsigned = {2, 2, Bitwise<ShiftRightUnsigned>};

}  // namespace lapse::query::functions
