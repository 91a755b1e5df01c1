#include <gtest/gtest.h>

#include "query/functions/integers.h"
#include "query/functions/math.h"
#include "query/functions/test_eval.h"

namespace lapse::query::functions {
namespace {

using MathTest = FunctionTest;
using IntegersTest = FunctionTest;

TEST_F(MathTest, WholeNumbers) {
  Expect(kAbs,
         {{"-1", "1"}, {"0", "0"}, {"1.5", "1.5"}, {"-1.5", "1.5"}, {"-9223372036854775808", "9223372036854775808.0"}});
  Expect(kCeiling,
         {{"62.6", "63"}, {"-62.6", "-62"}, {"-0.5", "0"}, {"62", "62"}, {"9007199254740993", "9007199254740993"}});
  Expect(kFloor, {{"62.6", "62"}, {"-62.6", "-63"}, {"62", "62"}, {"Infinity", "Infinity"}});
  Expect(kRound, {{"2.4", "2"}, {"2.5", "3"}, {"-2.5", "-3"}, {"2.6", "3"}, {"NaN", "NaN"}});
  Expect(kRound,
         {{"2.345, 1", "2.3"}, {"2.55, 0", "3"}, {"5, 2", "5"}, {"1e300, 15", "1e+300"}, {"1.5, -1", "undefined"}});
  Expect(kTruncate, {{"2.7", "2"}, {"-2.7", "-2"}, {"4", "4"}});
  Expect(kSign, {{"-2.5", "-1"}, {"0", "0"}, {"12", "1"}, {"NaN", "NaN"}});
  Expect(kNumberBin,
         {{"37.752, 10", "30"}, {"37.752", "37"}, {"37.752, 0.1", "37.7"}, {"-1.5, 1", "-2"}, {"1, 0", "undefined"}});
  for (const Function* function : {&kAbs, &kCeiling, &kFloor, &kRound, &kTruncate, &kSign, &kNumberBin}) {
    ExpectKinds(*function, "n", "1.5");
  }
  ExpectKinds(kRound, "ni", "1.5, 1");
  ExpectKinds(kNumberBin, "nn", "1.5, 2");
}

TEST_F(MathTest, PowersAndLogarithms) {
  Expect(kSquareRoot, {{"9", "3"}, {"2", "1.4142135623730951"}, {"-1", "NaN"}});
  Expect(kSquare, {{"3", "9"}, {"1.5", "2.25"}, {"-3", "9"}});
  Expect(kPower, {{"2, 10", "1024"}, {"2, -1", "0.5"}, {"-8, 0.5", "NaN"}, {"0, 0", "1"}});
  Expect(kExp, {{"0", "1"}, {"1", "2.718281828459045"}, {"1000", "Infinity"}});
  Expect(kLog, {{"1", "0"}, {"0", "-Infinity"}, {"-1", "NaN"}, {"8, 2", "3"}, {"100, 10", "2"}});
  Expect(kLog10, {{"100", "2"}, {"0", "-Infinity"}});
  for (const Function* function : {&kSquareRoot, &kSquare, &kExp, &kLog, &kLog10}) ExpectKinds(*function, "n", "1.5");
  ExpectKinds(kPower, "nn", "2, 3");
  ExpectKinds(kLog, "nn", "8, 2");
}

TEST_F(MathTest, Angles) {
  Expect(kPi, {{"", "3.141592653589793"}});
  Expect(kSin, {{"0", "0"}});
  Expect(kCos, {{"0", "1"}});
  Expect(kTan, {{"0", "0"}});
  Expect(kCot, {{"0", "Infinity"}});
  Expect(kAsin, {{"0", "0"}, {"2", "NaN"}});
  Expect(kAcos, {{"1", "0"}, {"2", "NaN"}});
  Expect(kAtan, {{"0", "0"}});
  Expect(kAtan2, {{"0, 1", "0"}, {"0, -1", "3.141592653589793"}});
  Expect(kDegrees, {{"3.141592653589793", "180"}});
  Expect(kRadians, {{"180", "3.141592653589793"}});
  for (const Function* function : {&kSin, &kCos, &kTan, &kCot, &kAsin, &kAcos, &kAtan, &kDegrees, &kRadians}) {
    ExpectKinds(*function, "n", "0.5");
  }
  ExpectKinds(kAtan2, "nn", "1, 2");
}

TEST_F(MathTest, RandomNumbersComeFromTheSeed) {
  EvalContext first({.seed = 5});
  EvalContext second({.seed = 5});
  EvalContext other({.seed = 6});
  double before = -1;
  for (int i = 0; i < 1000; ++i) {
    const double number = kRandom.evaluate(first, {}).AsDouble();
    EXPECT_EQ(kRandom.evaluate(second, {}).AsDouble(), number);
    EXPECT_NE(kRandom.evaluate(other, {}).AsDouble(), number);
    EXPECT_GE(number, 0);
    EXPECT_LT(number, 1);
    EXPECT_NE(number, before);
    before = number;
  }
  EXPECT_FALSE(kRandom.is_constant);
}

TEST_F(IntegersTest, Arithmetic) {
  Expect(kIntAdd, {{"20, 10", "30"}, {"1.0, 2", "3"}, {"9223372036854775807, 1", "undefined"}});
  Expect(kIntSub, {{"20, 10", "10"}, {"-9223372036854775808, 1", "undefined"}});
  Expect(kIntMul, {{"5, 2", "10"}, {"9223372036854775807, 2", "undefined"}});
  Expect(kIntDiv, {{"10, 2", "5"},
                   {"10, 3", "3"},
                   {"-10, 3", "-3"},
                   {"1, 0", "undefined"},
                   {"-9223372036854775808, -1", "undefined"}});
  Expect(
      kIntMod,
      {{"12, 5", "2"}, {"12, -5", "2"}, {"-12, -5", "-2"}, {"1, 0", "undefined"}, {"-9223372036854775808, -1", "0"}});
  for (const Function* function : {&kIntAdd, &kIntSub, &kIntMul, &kIntDiv, &kIntMod}) {
    ExpectKinds(*function, "ii", "6, 3");
  }
}

TEST_F(IntegersTest, Bits) {
  Expect(kIntBitAnd, {{"15, 25", "9"}, {"-1, 4294967296", "4294967296"}});
  Expect(kIntBitOr, {{"56, 100", "124"}});
  Expect(kIntBitXor, {{"56, 100", "92"}});
  Expect(kIntBitNot, {{"65", "-66"}, {"-1", "0"}});
  Expect(kIntBitLeftShift,
         {{"16, 4", "256"}, {"1, 63", "-9223372036854775808"}, {"1, 64", "undefined"}, {"1, -1", "undefined"}});
  Expect(kIntBitRightShift, {{"16, 4", "1"}, {"-16, 2", "-4"}, {"1, 64", "undefined"}});
  for (const Function* function : {&kIntBitAnd, &kIntBitOr, &kIntBitXor, &kIntBitLeftShift, &kIntBitRightShift}) {
    ExpectKinds(*function, "ii", "6, 3");
  }
  ExpectKinds(kIntBitNot, "i", "1");
}

}  // namespace
}  // namespace lapse::query::functions
