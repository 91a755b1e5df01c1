#include "query/values/compare.h"

#include <gtest/gtest.h>

#include <string>

#include "query/values/hash.h"
#include "query/values/test_value.h"
#include "query/values/value_set.h"

namespace lapse::query {
namespace {

constexpr uint64_t kSeed = 7;

class CompareTest : public testing::Test {
 protected:
  void ExpectSame(const char* a, const char* b) {
    const Value x = values_.One(a);
    const Value y = values_.One(b);
    EXPECT_TRUE(SameValue(x, y)) << a << " and " << b;
    EXPECT_TRUE(SameValue(y, x)) << b << " and " << a;
    EXPECT_EQ(HashOf(x, kSeed), HashOf(y, kSeed)) << a << " and " << b;
    EXPECT_EQ(OrderOf(x, y), std::strong_ordering::equal) << a << " and " << b;
  }
  void ExpectDifferent(const char* a, const char* b) {
    const Value x = values_.One(a);
    const Value y = values_.One(b);
    EXPECT_FALSE(SameValue(x, y)) << a << " and " << b;
    EXPECT_FALSE(SameValue(y, x)) << b << " and " << a;
    EXPECT_NE(OrderOf(x, y), std::strong_ordering::equal) << a << " and " << b;
    EXPECT_EQ(std::is_lt(OrderOf(x, y)), std::is_gt(OrderOf(y, x))) << a << " and " << b;
  }

  TestValues values_;
};

TEST_F(CompareTest, EqualIsDeepAndKnowsNumbersByTheirValue) {
  ExpectSame("1", "1.0");
  ExpectSame("0", "-0.0");
  ExpectSame("5000000000", "5e9");
  ExpectSame("NaN", "NaN");
  ExpectSame("Infinity", "Infinity");
  ExpectSame("undefined", "undefined");
  ExpectSame("{'a':1,'b':[2]}", "{'b':[2.0],'a':1}");
  ExpectSame("[{'a':{'x':1,'y':2}}]", "[{'a':{'y':2,'x':1.0}}]");
  ExpectSame("{}", "{}");
  ExpectSame("''", "''");
}

TEST_F(CompareTest, WhatDiffersAnywhereIsDifferent) {
  ExpectDifferent("1", "'1'");
  ExpectDifferent("1", "true");
  ExpectDifferent("null", "undefined");
  ExpectDifferent("null", "false");
  ExpectDifferent("[1,2]", "[2,1]");
  ExpectDifferent("[1,2]", "[1,2,3]");
  ExpectDifferent("{}", "[]");
  ExpectDifferent("{'a':1}", "{'a':1,'b':1}");
  ExpectDifferent("{'a':1,'b':2}", "{'a':2,'b':1}");
  ExpectDifferent("{'a':1,'b':2}", "{'b':2,'c':1}");
  ExpectDifferent("'a'", "'A'");
  ExpectDifferent("Infinity", "-Infinity");
}

// 2^53 + 1 is not a double: the nearest one is 2^53.
TEST_F(CompareTest, IntegersBeyondDoublesStayExact) {
  ExpectDifferent("9007199254740993", "9007199254740992");
  ExpectDifferent("9007199254740993", "9007199254740992.0");
  ExpectSame("9007199254740992", "9007199254740992.0");
  ExpectDifferent("9223372036854775807", "9223372036854775808.0");
  ExpectSame("-9223372036854775808", "-9223372036854775808.0");
  EXPECT_EQ(Shown(LessThan(values_.One("9223372036854775807"), values_.One("9223372036854775808.0"))), "true");
  EXPECT_EQ(Shown(LessThan(values_.One("9007199254740992.0"), values_.One("9007199254740993"))), "true");
  EXPECT_EQ(Shown(LessThan(values_.One("1"), values_.One("1.5"))), "true");
  EXPECT_EQ(Shown(LessThan(values_.One("-1.5"), values_.One("-1"))), "true");
}

TEST_F(CompareTest, LargeObjectsInAnyOrderAreEqual) {
  std::string forward = "{";
  std::string backward = "{";
  for (int i = 0; i < 1000; ++i) {
    forward.append(i > 0 ? "," : "").append("'n").append(std::to_string(i)).append("':").append(std::to_string(i));
    const std::string j = std::to_string(999 - i);
    backward.append(i > 0 ? "," : "").append("'n").append(j).append("':").append(j);
  }
  ExpectSame((forward + "}").c_str(), (backward + "}").c_str());
  ExpectDifferent((forward + ",'x':1}").c_str(), (backward + ",'y':1}").c_str());
}

TEST_F(CompareTest, TheOperatorEqualKnowsUndefinedAndNaN) {
  const auto equal = [this](const char* a, const char* b) {
    return Shown(EqualValues(values_.One(a), values_.One(b)));
  };
  EXPECT_EQ(equal("1", "1.0"), "true");
  EXPECT_EQ(equal("1", "'1'"), "false");
  EXPECT_EQ(equal("null", "'x'"), "false");
  EXPECT_EQ(equal("null", "null"), "true");
  EXPECT_EQ(equal("undefined", "undefined"), "undefined");
  EXPECT_EQ(equal("undefined", "1"), "undefined");
  EXPECT_EQ(equal("NaN", "NaN"), "false");
  EXPECT_EQ(equal("NaN", "1"), "false");
  EXPECT_EQ(equal("{'a':1,'b':2}", "{'b':2,'a':1}"), "true");
}

TEST_F(CompareTest, LessIsForTwoOfOnePrimitiveType) {
  const auto less = [this](const char* a, const char* b) { return Shown(LessThan(values_.One(a), values_.One(b))); };
  const auto less_or_equal = [this](const char* a, const char* b) {
    return Shown(LessOrEqual(values_.One(a), values_.One(b)));
  };
  EXPECT_EQ(less("1", "2"), "true");
  EXPECT_EQ(less("2", "1"), "false");
  EXPECT_EQ(less("1.5", "2"), "true");
  EXPECT_EQ(less("'a'", "'b'"), "true");
  EXPECT_EQ(less("'Z'", "'a'"), "true");
  EXPECT_EQ(less("'a'", "'ab'"), "true");
  EXPECT_EQ(less("false", "true"), "true");
  EXPECT_EQ(less("null", "null"), "false");
  EXPECT_EQ(less_or_equal("null", "null"), "true");
  EXPECT_EQ(less_or_equal("2", "2.0"), "true");
  EXPECT_EQ(less("NaN", "1"), "false");
  EXPECT_EQ(less_or_equal("NaN", "NaN"), "false");
  for (const char* other : {"undefined", "null", "true", "'1'", "[]", "{}"}) {
    EXPECT_EQ(less("1", other), "undefined") << other;
    EXPECT_EQ(less(other, "1"), "undefined") << other;
  }
  EXPECT_EQ(less("[1]", "[2]"), "undefined");
  EXPECT_EQ(less("{'a':1}", "{'a':2}"), "undefined");
  EXPECT_EQ(less("undefined", "undefined"), "undefined");
}

TEST_F(CompareTest, OrdersByTypeAndThenByValue) {
  const std::vector<Value> ascending = values_.List(
      "undefined, null, false, true, NaN, -Infinity, -9223372036854775808, -1.5, -1, 0, 0.5, 1, 9007199254740992.0, "
      "9007199254740993, Infinity, '', 'A', 'B', 'a', 'aa', '\xC3\xA9', '\xEF\xBC\xA1', '\xF0\x9F\x98\x80', [], [1], "
      "[1,0], [2], ['a'], {}, {'a':1}, {'a':1,'b':0}, {'a':2}, {'b':0}");
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(OrderOf(ascending[i], ascending[j]), i <=> j) << Shown(ascending[i]) << " and " << Shown(ascending[j]);
    }
  }
}

TEST_F(CompareTest, ValuesOfAnyDepthAreComparedWithoutRecursionWithoutBound) {
  // As deep as 10,000 arrays can be: [[[...]]], built by hand.
  std::string deep("\x05\0\0\0\0", 5);
  for (int i = 0; i < 10'000; ++i) {
    const auto size = static_cast<int32_t>(deep.size() + 8);
    std::string outer(reinterpret_cast<const char*>(&size), sizeof(size));
    deep = outer.append("\x04", 1).append("0\0", 2).append(deep).append("\0", 1);
  }
  const std::string copy = deep;
  EXPECT_TRUE(SameValue(Value::Array(deep), Value::Array(copy)));
  EXPECT_EQ(HashOf(Value::Array(deep), kSeed), HashOf(Value::Array(copy), kSeed));
  EXPECT_EQ(OrderOf(Value::Array(deep), Value::Array(copy)), std::strong_ordering::equal);
  Arena arena(1 << 20);
  ByteBuilder out(&arena);
  EXPECT_FALSE(AppendCompactJson(Value::Array(deep), &arena, &out));
}

TEST_F(CompareTest, HashesDifferWithSeedsAndValues) {
  EXPECT_NE(HashOf(Value::Int64(1), 1), HashOf(Value::Int64(1), 2));
  EXPECT_NE(HashOf(Value::Int64(1), 1), HashOf(Value::Int64(2), 1));
  EXPECT_NE(HashOf(Value::String(""), 1), HashOf(Value::Null(), 1));
  EXPECT_NE(HashOf(values_.One("[1,2]"), 1), HashOf(values_.One("[2,1]"), 1));
  EXPECT_NE(HashOf(values_.One("{'a':'b'}"), 1), HashOf(values_.One("{'b':'a'}"), 1));
}

TEST_F(CompareTest, ASetHoldsEachValueOnce) {
  Arena arena(1 << 20);
  ValueSet set(&arena, kSeed);
  EXPECT_FALSE(set.Contains(Value::Int64(0)));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(set.Add(Value::Int64(i)), round == 0);
  }
  EXPECT_EQ(set.size(), 1000u);
  EXPECT_TRUE(set.Contains(Value::Double(999.0)));
  EXPECT_FALSE(set.Contains(Value::Int64(1000)));
}

TEST_F(CompareTest, ASetStopsAtTheBudget) {
  Arena arena(10'000);
  ValueSet set(&arena, kSeed);
  for (int i = 0; i < 1000; ++i) set.Add(Value::Int64(i));
  EXPECT_TRUE(arena.exhausted());
  EXPECT_LT(set.size(), 1000u);
}

TEST_F(CompareTest, NumbersAreWrittenInTheirShortestForm) {
  const auto text = [this](const char* number) {
    char buffer[kNumberTextMax];
    return std::string(NumberText(values_.One(number), &buffer));
  };
  EXPECT_EQ(text("2.0"), "2");
  EXPECT_EQ(text("-2.5"), "-2.5");
  EXPECT_EQ(text("0.1"), "0.1");
  EXPECT_EQ(text("-0.0"), "0");
  EXPECT_EQ(text("100000.0"), "100000");
  EXPECT_EQ(text("123456.789"), "123456.789");
  EXPECT_EQ(text("1e20"), "100000000000000000000");
  EXPECT_EQ(text("1e21"), "1e+21");
  EXPECT_EQ(text("1.5e300"), "1.5e+300");
  EXPECT_EQ(text("0.000001"), "0.000001");
  EXPECT_EQ(text("0.0000001"), "1e-7");
  EXPECT_EQ(text("-1.7976931348623157e308"), "-1.7976931348623157e+308");
  EXPECT_EQ(text("5e-324"), "5e-324");
  EXPECT_EQ(text("0.0000012345678901234567"), "0.0000012345678901234567");
  EXPECT_EQ(text("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(text("NaN"), "NaN");
  EXPECT_EQ(text("-Infinity"), "-Infinity");
}

}  // namespace
}  // namespace lapse::query
