#include <gtest/gtest.h>

#include <string>

#include "query/functions/arithmetic.h"
#include "query/functions/comparison.h"
#include "query/functions/like.h"
#include "query/functions/test_eval.h"

namespace lapse::query::functions {
namespace {

using ArithmeticTest = FunctionTest;
using ComparisonTest = FunctionTest;
using LikeTest = FunctionTest;

TEST_F(ArithmeticTest, AddSubtractMultiply) {
  Expect(kAdd, {
                   {"1, 2", "3"},
                   {"1.5, 2", "3.5"},
                   {"1.5, 1.5", "3"},
                   {"9007199254740993, 0", "9007199254740993"},
                   {"9223372036854775807, 1", "9223372036854775808.0"},
                   {"0.1, 0.2", "0.30000000000000004"},
                   {"Infinity, -Infinity", "NaN"},
                   {"1e308, 1e308", "Infinity"},
               });
  Expect(kSubtract, {{"5, 7", "-2"}, {"-9223372036854775808, 1", "-9223372036854775808.0"}, {"0.5, 0.5", "0"}});
  Expect(kMultiply, {{"6, 7", "42"}, {"0.5, 4", "2"}, {"4294967296, 4294967296", "18446744073709551616.0"}});
  for (const Function* function : {&kAdd, &kSubtract, &kMultiply, &kDivide, &kRemainder}) {
    ExpectKinds(*function, "nn", "4, 2");
  }
}

TEST_F(ArithmeticTest, DivisionByZeroIsNoError) {
  Expect(kDivide, {
                      {"1, 0", "Infinity"},
                      {"-1, 0", "-Infinity"},
                      {"0, 0", "NaN"},
                      {"7, 2", "3.5"},
                      {"4, 2", "2"},
                      {"9223372036854775807, 1", "9223372036854775808.0"},
                  });
  Expect(kRemainder, {
                         {"7, 3", "1"},
                         {"-7, 3", "-1"},
                         {"7, -3", "1"},
                         {"5.5, 2", "1.5"},
                         {"1, 0", "NaN"},
                         {"1.5, 0", "NaN"},
                         {"-9223372036854775808, -1", "0"},
                     });
}

TEST_F(ArithmeticTest, Signs) {
  Expect(kNegate, {{"1", "-1"}, {"-1.5", "1.5"}, {"-9223372036854775808", "9223372036854775808.0"}, {"0", "0"}});
  Expect(kPlus, {{"1", "1"}, {"-1.5", "-1.5"}});
  ExpectKinds(kNegate, "n", "1");
  ExpectKinds(kPlus, "n", "1");
}

TEST_F(ArithmeticTest, BitsAreThoseOf32) {
  Expect(kBitAnd, {{"12, 10", "8"}, {"-1, 255", "255"}, {"4294967297, 3", "1"}, {"1.9, 1", "1"}, {"NaN, 1", "0"}});
  Expect(kBitOr, {{"12, 10", "14"}, {"4294967295, 0", "-1"}, {"Infinity, 1", "1"}, {"-1.9, 0", "-1"}});
  Expect(kBitXor, {{"12, 10", "6"}, {"1e20, 0", "1661992960"}});
  Expect(kBitNot, {{"0", "-1"}, {"7", "-8"}, {"2147483648", "2147483647"}});
  Expect(kShiftLeft, {{"1, 4", "16"}, {"1, 31", "-2147483648"}, {"1, 32", "1"}, {"1, -1", "-2147483648"}});
  Expect(kShiftRight, {{"-16, 2", "-4"}, {"16, 2", "4"}, {"16, 34", "4"}});
  Expect(kShiftRightUnsigned, {{"-1, 0", "4294967295"}, {"-16, 28", "15"}});
  for (const Function* function : {&kBitAnd, &kBitOr, &kBitXor, &kShiftLeft, &kShiftRight, &kShiftRightUnsigned}) {
    ExpectKinds(*function, "nn", "4, 2");
  }
  ExpectKinds(kBitNot, "n", "1");
}

TEST_F(ComparisonTest, EqualAndNotEqual) {
  Expect(kEqual, {{"1, 1.0", "true"}, {"1, '1'", "false"}, {"null, undefined", "undefined"}});
  Expect(kNotEqual, {
                        {"1, 1.0", "false"},
                        {"'x', null", "true"},
                        {"undefined, null", "undefined"},
                        {"NaN, NaN", "true"},
                        {"[1,{'a':2}], [1,{'a':2.0}]", "false"},
                    });
}

TEST_F(ComparisonTest, LessAndGreater) {
  Expect(kLess, {{"1, 2", "true"}, {"2, 2", "false"}, {"1, 'a'", "undefined"}, {"[1], [2]", "undefined"}});
  Expect(kLessOrEqual, {{"2, 2", "true"}, {"3, 2", "false"}, {"null, null", "true"}});
  Expect(kGreater, {{"2, 1", "true"}, {"'b', 'a'", "true"}, {"undefined, 1", "undefined"}});
  Expect(kGreaterOrEqual, {{"true, false", "true"}, {"1, 2", "false"}, {"{}, {}", "undefined"}});
}

TEST_F(ComparisonTest, Between) {
  Expect(kBetween, {
                       {"5, 1, 10", "true"},
                       {"1, 1, 10", "true"},
                       {"10, 1, 10", "true"},
                       {"0, 1, 10", "false"},
                       {"5, 10, 1", "false"},
                       {"'b', 'a', 'c'", "true"},
                       {"5, 'a', 10", "undefined"},
                       {"11, 'a', 10", "false"},
                       {"undefined, 1, 2", "undefined"},
                   });
}

TEST_F(ComparisonTest, In) {
  Expect(kIn, {
                  {"1, 1, 2", "true"},
                  {"1, 'x', 1.0", "true"},
                  {"3, 1, 2", "false"},
                  {"undefined, 1", "undefined"},
                  {"undefined, undefined", "undefined"},
                  {"1, undefined, 2", "false"},
                  {"1, undefined, 1", "true"},
                  {"null, null", "true"},
                  {"{'a':1}, [1], {'a':1}", "true"},
                  {"NaN, NaN", "false"},
              });
}

TEST_F(ComparisonTest, Not) {
  Expect(kNot, {{"true", "false"}, {"false", "true"}});
  ExpectKinds(kNot, "b", "true");
}

TEST_F(LikeTest, RunsAndSingleCharacters) {
  Expect(kLike, {
                    {"'Adventure Works', '%Works'", "true"},
                    {"'Adventure Works', 'Adv%'", "true"},
                    {"'Adventure Works', '%ture%'", "true"},
                    {"'Adventure Works', 'works'", "false"},
                    {"'abc', 'abc'", "true"},
                    {"'abc', 'ABC'", "false"},
                    {"'abc', 'a_c'", "true"},
                    {"'abc', '___'", "true"},
                    {"'abc', '__'", "false"},
                    {"'abc', '%'", "true"},
                    {"'', '%'", "true"},
                    {"'', ''", "true"},
                    {"'', '_'", "false"},
                    {"'abc', ''", "false"},
                    {"'aXbXc', 'a%b%c'", "true"},
                    {"'aabab', '%ab'", "true"},
                    {"'mississippi', 'm%iss%ip%i'", "true"},
                    {"'mississippi', 'm%iss%ip%x'", "false"},
                    {"'a\xF0\x9F\x98\x80"
                     "b', 'a_b'",
                     "true"},
                    {"'abc', '%%c%%'", "true"},
                });
  ExpectKinds(kLike, "ss", "'abc', 'a%'");
}

TEST_F(LikeTest, Brackets) {
  Expect(kLike, {
                    {"'bat', '[a-c]at'", "true"},
                    {"'rat', '[a-c]at'", "false"},
                    {"'rat', '[^a-c]at'", "true"},
                    {"'bat', '[^a-c]at'", "false"},
                    {"'b', '[abc]'", "true"},
                    {"'20-30%', '20-30[%]'", "true"},
                    {"'20-30x', '20-30[%]'", "false"},
                    {"'a_b', 'a[_]b'", "true"},
                    {"'[x', '[[]x'", "true"},
                    {"'-', '[a-]'", "true"},
                    {"']', '[]]'", "true"},
                    {"'[a', '[a'", "true"},
                    {"'\xC3\xA9', '[\xC3\xA0-\xC3\xBF]'", "true"},
                });
}

TEST_F(LikeTest, Escapes) {
  Expect(kLike, {
                    {"'20-30%', '%30!%', '!'", "true"},
                    {"'20-30x', '%30!%', '!'", "false"},
                    {"'a_b', 'a!_b', '!'", "true"},
                    {"'axb', 'a!_b', '!'", "false"},
                    {"'a!b', 'a!!b', '!'", "true"},
                    {"'a[b', 'a![b', '!'", "true"},
                    {"'a!', 'a!', '!'", "true"},
                    {"'a', 'a', ''", "undefined"},
                    {"'a', 'a', '!!'", "undefined"},
                    {"'%', '\xC3\xA9%', '\xC3\xA9'", "true"},
                });
  ExpectKinds(kLike, "sss", "'abc', 'a%', '!'");
}

TEST_F(LikeTest, HostilePatternsEnd) {
  const std::string text(1'000'000, 'a');
  std::string runs;
  for (int i = 0; i < 1'000; ++i) runs.append("%a");
  EXPECT_EQ(Shown(Call(kLike, {Value::String(text), Value::String(runs)})), "true");
  const std::string near_miss = "%" + std::string(500'000, '_') + "b";
  EXPECT_EQ(Shown(Call(kLike, {Value::String(text), Value::String(near_miss)})), "undefined");
  const std::string brackets(500'000, '[');
  EXPECT_EQ(Shown(Call(kLike, {Value::String(brackets), Value::String(brackets)})), "undefined");
}

}  // namespace
}  // namespace lapse::query::functions
