// Tests properties that hold for every function, whatever its arguments.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "doc/json.h"
#include "query/functions/arithmetic.h"
#include "query/functions/arrays.h"
#include "query/functions/comparison.h"
#include "query/functions/conversion.h"
#include "query/functions/dates.h"
#include "query/functions/documents.h"
#include "query/functions/integers.h"
#include "query/functions/like.h"
#include "query/functions/math.h"
#include "query/functions/regular_expressions.h"
#include "query/functions/sets.h"
#include "query/functions/spatial.h"
#include "query/functions/string_changes.h"
#include "query/functions/string_parts.h"
#include "query/functions/string_search.h"
#include "query/functions/type_checks.h"
#include "query/values/builder.h"
#include "query/values/compare.h"
#include "query/values/test_value.h"

namespace lapse::query::functions {
namespace {

const Function* const kAll[] = {
    &kAdd,
    &kSubtract,
    &kMultiply,
    &kDivide,
    &kRemainder,
    &kNegate,
    &kPlus,
    &kBitAnd,
    &kBitOr,
    &kBitXor,
    &kBitNot,
    &kShiftLeft,
    &kShiftRight,
    &kShiftRightUnsigned,  // arithmetic
    &kArrayConcat,
    &kArrayContains,
    &kArrayContainsAll,
    &kArrayContainsAny,
    &kArrayLength,
    &kArraySlice,
    &kArraySum,
    &kArrayAvg,
    &kArrayMedian,
    &kArrayMin,
    &kArrayMax,  // arrays
    &kEqual,
    &kNotEqual,
    &kLess,
    &kLessOrEqual,
    &kGreater,
    &kGreaterOrEqual,
    &kBetween,
    &kIn,
    &kNot,  // comparison
    &kToString,
    &kStringToArray,
    &kStringToBoolean,
    &kStringToNull,
    &kStringToNumber,
    &kStringToObject,  // conversion
    &kDateTimeAdd,
    &kDateTimeBin,
    &kDateTimeDiff,
    &kDateTimeFormat,
    &kDateTimeFromParts,
    &kDateTimePart,
    &kDay,
    &kMonth,
    &kYear,
    &kDateTimeToTicks,
    &kDateTimeToTimestamp,
    &kTicksToDateTime,
    &kTimestampToDateTime,
    &kGetCurrentDateTime,
    &kGetCurrentTicks,
    &kGetCurrentTimestamp,
    &kNow,
    &kAgo,  // dates
    &kDocumentId,
    &kHash,
    &kVectorDistance,  // documents
    &kIntAdd,
    &kIntSub,
    &kIntMul,
    &kIntDiv,
    &kIntMod,
    &kIntBitAnd,
    &kIntBitOr,
    &kIntBitXor,
    &kIntBitNot,
    &kIntBitLeftShift,
    &kIntBitRightShift,  // integers
    &kLike,              // like
    &kAbs,
    &kAcos,
    &kAsin,
    &kAtan,
    &kAtan2,
    &kCeiling,
    &kCos,
    &kCot,
    &kDegrees,
    &kExp,
    &kFloor,
    &kLog,
    &kLog10,
    &kNumberBin,
    &kPi,
    &kPower,
    &kRadians,
    &kRandom,
    &kRound,
    &kSign,
    &kSin,
    &kSquare,
    &kSquareRoot,
    &kTan,
    &kTruncate,  // math
    &kRegexMatch,
    &kRegexExtract,
    &kRegexExtractAll,  // regular expressions
    &kSetDifference,
    &kSetIntersect,
    &kSetUnion,
    &kSetEqual,
    &kObjectToArray,  // sets
    &kStArea,
    &kStDistance,
    &kStIntersects,
    &kStWithin,
    &kStIsValid,
    &kStIsValidDetailed,  // spatial
    &kConcat,
    &kLower,
    &kReplace,
    &kReplicate,
    &kReverse,
    &kStringJoin,
    &kStringSplit,
    &kUpper,  // string changes
    &kLeft,
    &kLength,
    &kRight,
    &kSubstring,
    &kLeftTrim,
    &kRightTrim,
    &kTrim,
    &kLastSubstringAfter,
    &kLastSubstringBefore,
    &kSubstringAfter,
    &kSubstringBefore,  // string parts
    &kContains,
    &kEndsWith,
    &kStartsWith,
    &kStringEquals,
    &kContainsAllCi,
    &kContainsAllCs,
    &kContainsAnyCi,
    &kContainsAnyCs,
    &kIndexOf,
    &kLastIndexOf,  // string search
    &kIsArray,
    &kIsBool,
    &kIsDateTime,
    &kIsDefined,
    &kIsFiniteNumber,
    &kIsInteger,
    &kIsNull,
    &kIsNumber,
    &kIsObject,
    &kIsPrimitive,
    &kIsString,  // type checks
};

// Values that some function accepts, and values at the limits.
constexpr const char* kValues =
    "undefined, null, true, false, 0, 1, -1, 2, 63, 64, 9223372036854775807, -9223372036854775808, 0.5, -0.0, 1e308, "
    "5e-324, NaN, Infinity, -Infinity, '', 'a', 'abcabc', 'A', ' a ', '%', '_b%', '[a-c]', '[', '(', 'a*', '(a)|b', "
    "'i', "
    "'x', '\\u0000', '\xC3\xA9\xC3\x89', '\xF0\x9F\x98\x80\xF0\x9F\x98\x81', 'day', 'ns', 'yyyy', '2020-02-29', "
    "'0001-01-01T00:00:00.0000001Z', '9999-12-31T23:59:59.9999999Z', '[1,2]', '{}', '1e5', [], [1], [1,2.5,-3], "
    "['a','b','a'], [null,[],{}], [[1],[1]], {}, {'a':1}, {'a':1,'b':[2]}, {'type':'Point','coordinates':[0,0]}, "
    "{'type':'Point','coordinates':[180,90]}, {'type':'Point','coordinates':[200,0]}, "
    "{'type':'LineString','coordinates':[[0,0],[1,1],[0,0]]}, {'type':'LineString','coordinates':[[0,0],[180,0]]}, "
    "{'type':'Polygon','coordinates':[[[0,0],[1,0],[1,1],[0,0]]]}, "
    "{'type':'Polygon','coordinates':[[[0,0],[0,0],[0,0],[0,0]]]}, "
    "{'type':'Polygon','coordinates':[[[0,0],[0,90],[180,0],[0,-90],[0,0]]]}, "
    "{'type':'MultiPolygon','coordinates':[[[[0,80],[120,80],[-120,80],[0,80]]]]}, "
    "{'distanceFunction':'euclidean'}";

// A value that a document could hold: complete BSON, valid UTF-8.
::testing::AssertionResult IsWhole(Value value) {
  Arena arena(size_t{4} << 20);
  ObjectBuilder builder(&arena);
  builder.Add("v", value);
  const Status status = doc::Validate(builder.Finish().AsDocument(), 128);
  return status.ok() ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << status.ToString();
}

class AllFunctionsTest : public testing::Test {
 protected:
  std::vector<Value> RandomArguments(const Function& function) {
    const size_t most = std::min<size_t>(function.arguments_max, function.arguments_min + size_t{3});
    const size_t count = function.arguments_min + random_() % (most - function.arguments_min + 1);
    std::vector<Value> arguments;
    for (size_t i = 0; i < count; ++i) arguments.push_back(pool_[random_() % pool_.size()]);
    return arguments;
  }
  static std::string ShownList(const std::vector<Value>& arguments) {
    std::string text;
    for (const Value& argument : arguments) text.append(text.empty() ? "" : ", ").append(Shown(argument));
    return text;
  }

  std::mt19937 random_{20'201};
  TestValues values_;
  std::vector<Value> pool_ = values_.List(kValues);
};

TEST_F(AllFunctionsTest, GiveWholeValuesWhateverTheyGet) {
  for (size_t f = 0; f < std::size(kAll); ++f) {
    const Function& function = *kAll[f];
    for (int round = 0; round < 1000; ++round) {
      EvalContext context({.memory_bytes_max = size_t{1} << 20});
      const std::vector<Value> arguments = RandomArguments(function);
      const Value result = function.evaluate(context, arguments);
      ASSERT_TRUE(IsWhole(result)) << "function " << f << " of (" << ShownList(arguments) << ")";
      ASSERT_TRUE(context.status().ok());
    }
  }
}

TEST_F(AllFunctionsTest, ThoseThatAreConstantGiveTheSameTwice) {
  for (size_t f = 0; f < std::size(kAll); ++f) {
    const Function& function = *kAll[f];
    if (!function.is_constant) continue;
    for (int round = 0; round < 200; ++round) {
      EvalContext first({.now_ticks = 1, .seed = 1});
      EvalContext second({.now_ticks = 2, .seed = 2});
      const std::vector<Value> arguments = RandomArguments(function);
      const Value result = function.evaluate(first, arguments);
      ASSERT_TRUE(SameValue(result, function.evaluate(second, arguments)))
          << f << " of (" << ShownList(arguments) << ")";
    }
  }
}

TEST_F(AllFunctionsTest, NeverHoldMoreThanTheirBudget) {
  const std::string text(3'000, 'a');
  pool_.push_back(Value::String(text));
  for (size_t f = 0; f < std::size(kAll); ++f) {
    for (int round = 0; round < 200; ++round) {
      EvalContext context({.memory_bytes_max = 2'000});
      kAll[f]->evaluate(context, RandomArguments(*kAll[f]));
      ASSERT_LE(context.arena().held_bytes(), 2'000u);
    }
  }
}

// Type checks always return a bool. All other functions return undefined for undefined.
TEST_F(AllFunctionsTest, AnUndefinedArgumentGivesUndefined) {
  const Function* const kExempt[] = {&kIn,        &kContainsAllCi, &kContainsAllCs, &kContainsAnyCi, &kContainsAnyCs,
                                     &kIsArray,   &kIsBool,        &kIsDateTime,    &kIsDefined,     &kIsFiniteNumber,
                                     &kIsInteger, &kIsNull,        &kIsNumber,      &kIsObject,      &kIsPrimitive,
                                     &kIsString,  &kBetween};
  for (size_t f = 0; f < std::size(kAll); ++f) {
    const Function& function = *kAll[f];
    if (std::find(std::begin(kExempt), std::end(kExempt), &function) != std::end(kExempt)) continue;
    for (int round = 0; round < 200; ++round) {
      std::vector<Value> arguments = RandomArguments(function);
      if (arguments.empty()) continue;
      arguments[random_() % arguments.size()] = Value();
      EvalContext context({});
      ASSERT_TRUE(function.evaluate(context, arguments).IsUndefined()) << f << " of (" << ShownList(arguments) << ")";
    }
  }
}

}  // namespace
}  // namespace lapse::query::functions
