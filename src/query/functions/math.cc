#include "query/functions/math.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "query/functions/arithmetic.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

constexpr double kDegreesOfARadian = 180 / std::numbers::pi;

using OfOne = double (*)(double);

template <OfOne kCompute>
Value Compute(EvalContext&, Arguments arguments) {
  return arguments[0].IsNumber() ? NumberValue(kCompute(arguments[0].AsDouble())) : Value();
}

// For functions that leave whole numbers unchanged, even those that no double represents.
template <OfOne kCompute>
Value ToWhole(EvalContext&, Arguments arguments) {
  if (arguments[0].kind() == Kind::kInt64) return arguments[0];
  return arguments[0].IsNumber() ? NumberValue(kCompute(arguments[0].AsDouble())) : Value();
}

double Acos(double x) {
  return std::acos(x);
}
double Asin(double x) {
  return std::asin(x);
}
double Atan(double x) {
  return std::atan(x);
}
double Ceiling(double x) {
  return std::ceil(x);
}
double Cos(double x) {
  return std::cos(x);
}
double Cot(double x) {
  return 1 / std::tan(x);
}
double Degrees(double x) {
  return x * kDegreesOfARadian;
}
double Exp(double x) {
  return std::exp(x);
}
double Floor(double x) {
  return std::floor(x);
}
double Log10(double x) {
  return std::log10(x);
}
double Radians(double x) {
  return x / kDegreesOfARadian;
}
double RoundHalfAway(double x) {
  return std::round(x);
}
double Sign(double x) {
  if (std::isnan(x)) return x;
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}
double Sin(double x) {
  return std::sin(x);
}
double SquareRoot(double x) {
  return std::sqrt(x);
}
double Tan(double x) {
  return std::tan(x);
}
double Truncate(double x) {
  return std::trunc(x);
}

Value Abs(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsNumber()) return {};
  if (arguments[0].kind() == Kind::kDouble) return NumberValue(std::abs(arguments[0].AsDouble()));
  const int64_t number = arguments[0].AsInt64();
  if (number == std::numeric_limits<int64_t>::min()) return Value::Double(kTwoTo63);
  return Value::Int64(number < 0 ? -number : number);
}

Value Square(EvalContext& context, Arguments arguments) {
  const Value factors[] = {arguments[0], arguments[0]};
  return kMultiply.evaluate(context, Arguments(factors));
}

Value Atan2(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsNumber() || !arguments[1].IsNumber()) return {};
  return NumberValue(std::atan2(arguments[0].AsDouble(), arguments[1].AsDouble()));
}

Value Power(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsNumber() || !arguments[1].IsNumber()) return {};
  return NumberValue(std::pow(arguments[0].AsDouble(), arguments[1].AsDouble()));
}

Value Log(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsNumber()) return {};
  const double natural = std::log(arguments[0].AsDouble());
  if (arguments.size() == 1) return NumberValue(natural);
  if (!arguments[1].IsNumber()) return {};
  return NumberValue(natural / std::log(arguments[1].AsDouble()));
}

Value Pi(EvalContext&, Arguments) {
  return Value::Double(std::numbers::pi);
}

Value Random(EvalContext& context, Arguments) {
  return Value::Double(context.Random());
}

Value Round(EvalContext& context, Arguments arguments) {
  constexpr int64_t kDigitsMax = 15;
  if (arguments.size() == 1) return ToWhole<RoundHalfAway>(context, arguments);
  const auto digits = IntegerOf(arguments[1]);
  if (!arguments[0].IsNumber() || !digits || *digits < 0 || *digits > kDigitsMax) return {};
  if (arguments[0].kind() == Kind::kInt64) return arguments[0];
  const double scale = std::pow(10.0, static_cast<double>(*digits));
  const double scaled = arguments[0].AsDouble() * scale;
  // A number beyond the range of doubles has no digits after the point to round.
  return std::isfinite(scaled) ? NumberValue(std::round(scaled) / scale) : arguments[0];
}

Value NumberBin(EvalContext&, Arguments arguments) {
  if (!arguments[0].IsNumber()) return {};
  double size = 1;
  if (arguments.size() > 1) {
    if (!arguments[1].IsNumber()) return {};
    size = arguments[1].AsDouble();
  }
  if (size == 0) return {};
  return NumberValue(std::floor(arguments[0].AsDouble() / size) * size);
}

}  // namespace

const Function kAbs = {1, 1, Abs};
const Function kAcos = {1, 1, Compute<Acos>};
const Function kAsin = {1, 1, Compute<Asin>};
const Function kAtan = {1, 1, Compute<Atan>};
const Function kAtan2 = {2, 2, Atan2};
const Function kCeiling = {1, 1, ToWhole<Ceiling>};
const Function kCos = {1, 1, Compute<Cos>};
const Function kCot = {1, 1, Compute<Cot>};
const Function kDegrees = {1, 1, Compute<Degrees>};
const Function kExp = {1, 1, Compute<Exp>};
const Function kFloor = {1, 1, ToWhole<Floor>};
const Function kLog = {1, 2, Log};
const Function kLog10 = {1, 1, Compute<Log10>};
const Function kNumberBin = {1, 2, NumberBin};
const Function kPi = {0, 0, Pi};
const Function kPower = {2, 2, Power};
const Function kRadians = {1, 1, Compute<Radians>};
const Function kRandom = {0, 0, Random, false};
const Function kRound = {1, 2, Round};
const Function kSign = {1, 1, Compute<Sign>};
const Function kSin = {1, 1, Compute<Sin>};
const Function kSquare = {1, 1, Square};
const Function kSquareRoot = {1, 1, Compute<SquareRoot>};
const Function kTan = {1, 1, Compute<Tan>};
const Function kTruncate = {1, 1, ToWhole<Truncate>};

}  // namespace lapse::query::functions
