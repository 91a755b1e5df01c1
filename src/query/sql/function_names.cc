#include "query/sql/function_names.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/ascii.h"
#include "query/functions/aggregates.h"
#include "query/functions/arithmetic.h"
#include "query/functions/arrays.h"
#include "query/functions/comparison.h"
#include "query/functions/conversion.h"
#include "query/functions/dates.h"
#include "query/functions/documents.h"
#include "query/functions/function.h"
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

namespace lapse::query::sql {
namespace {

struct Row {
  std::string_view name;  // with underscores between all its words
  const Function* function;
};

// Each may also be written without underscores.
constexpr Row kFunctions[] = {
    {"ABS", &functions::kAbs},
    {"ACOS", &functions::kAcos},
    {"AGO", &functions::kAgo},
    {"ARRAY_AVG", &functions::kArrayAvg},
    {"ARRAY_CONCAT", &functions::kArrayConcat},
    {"ARRAY_CONTAINS", &functions::kArrayContains},
    {"ARRAY_CONTAINS_ALL", &functions::kArrayContainsAll},
    {"ARRAY_CONTAINS_ANY", &functions::kArrayContainsAny},
    {"ARRAY_LENGTH", &functions::kArrayLength},
    {"ARRAY_MAX", &functions::kArrayMax},
    {"ARRAY_MEDIAN", &functions::kArrayMedian},
    {"ARRAY_MIN", &functions::kArrayMin},
    {"ARRAY_SLICE", &functions::kArraySlice},
    {"ARRAY_SUM", &functions::kArraySum},
    {"ASIN", &functions::kAsin},
    {"ATAN", &functions::kAtan},
    {"ATN2", &functions::kAtan2},
    {"CEILING", &functions::kCeiling},
    {"CONCAT", &functions::kConcat},
    {"CONTAINS", &functions::kContains},
    {"CONTAINS_ALL_CI", &functions::kContainsAllCi},
    {"CONTAINS_ALL_CS", &functions::kContainsAllCs},
    {"CONTAINS_ANY_CI", &functions::kContainsAnyCi},
    {"CONTAINS_ANY_CS", &functions::kContainsAnyCs},
    {"COS", &functions::kCos},
    {"COT", &functions::kCot},
    {"DATE_TIME_ADD", &functions::kDateTimeAdd},
    {"DATE_TIME_BIN", &functions::kDateTimeBin},
    {"DATE_TIME_DIFF", &functions::kDateTimeDiff},
    {"DATE_TIME_FORMAT", &functions::kDateTimeFormat},
    {"DATE_TIME_FROM_PARTS", &functions::kDateTimeFromParts},
    {"DATE_TIME_PART", &functions::kDateTimePart},
    {"DATE_TIME_TO_TICKS", &functions::kDateTimeToTicks},
    {"DATE_TIME_TO_TIMESTAMP", &functions::kDateTimeToTimestamp},
    {"DAY", &functions::kDay},
    {"DEGREES", &functions::kDegrees},
    {"DOCUMENT_ID", &functions::kDocumentId},
    {"ENDS_WITH", &functions::kEndsWith},
    {"EXP", &functions::kExp},
    {"FLOOR", &functions::kFloor},
    {"GET_CURRENT_DATE_TIME", &functions::kGetCurrentDateTime},
    {"GET_CURRENT_DATE_TIME_STATIC", &functions::kGetCurrentDateTime},
    {"GET_CURRENT_TICKS", &functions::kGetCurrentTicks},
    {"GET_CURRENT_TICKS_STATIC", &functions::kGetCurrentTicks},
    {"GET_CURRENT_TIMESTAMP", &functions::kGetCurrentTimestamp},
    {"GET_CURRENT_TIMESTAMP_STATIC", &functions::kGetCurrentTimestamp},
    {"HASH", &functions::kHash},
    {"INDEX_OF", &functions::kIndexOf},
    {"INT_ADD", &functions::kIntAdd},
    {"INT_BIT_AND", &functions::kIntBitAnd},
    {"INT_BIT_LEFT_SHIFT", &functions::kIntBitLeftShift},
    {"INT_BIT_NOT", &functions::kIntBitNot},
    {"INT_BIT_OR", &functions::kIntBitOr},
    {"INT_BIT_RIGHT_SHIFT", &functions::kIntBitRightShift},
    {"INT_BIT_XOR", &functions::kIntBitXor},
    {"INT_DIV", &functions::kIntDiv},
    {"INT_MOD", &functions::kIntMod},
    {"INT_MUL", &functions::kIntMul},
    {"INT_SUB", &functions::kIntSub},
    {"IS_ARRAY", &functions::kIsArray},
    {"IS_BOOL", &functions::kIsBool},
    {"IS_BOOLEAN", &functions::kIsBool},
    {"IS_DATE_TIME", &functions::kIsDateTime},
    {"IS_DEFINED", &functions::kIsDefined},
    {"IS_FINITE_NUMBER", &functions::kIsFiniteNumber},
    {"IS_INTEGER", &functions::kIsInteger},
    {"IS_NULL", &functions::kIsNull},
    {"IS_NUMBER", &functions::kIsNumber},
    {"IS_OBJECT", &functions::kIsObject},
    {"IS_PRIMITIVE", &functions::kIsPrimitive},
    {"IS_STRING", &functions::kIsString},
    {"LAST_INDEX_OF", &functions::kLastIndexOf},
    {"LAST_SUBSTRING_AFTER", &functions::kLastSubstringAfter},
    {"LAST_SUBSTRING_BEFORE", &functions::kLastSubstringBefore},
    {"LEFT", &functions::kLeft},
    {"LENGTH", &functions::kLength},
    {"LOG", &functions::kLog},
    {"LOG10", &functions::kLog10},
    {"LOWER", &functions::kLower},
    {"LTRIM", &functions::kLeftTrim},
    {"MONTH", &functions::kMonth},
    {"NOW", &functions::kNow},
    {"NUMBER_BIN", &functions::kNumberBin},
    {"OBJECT_TO_ARRAY", &functions::kObjectToArray},
    {"PI", &functions::kPi},
    {"POWER", &functions::kPower},
    {"RADIANS", &functions::kRadians},
    {"RAND", &functions::kRandom},
    {"REGEX_EXTRACT", &functions::kRegexExtract},
    {"REGEX_EXTRACT_ALL", &functions::kRegexExtractAll},
    {"REGEX_MATCH", &functions::kRegexMatch},
    {"REPLACE", &functions::kReplace},
    {"REPLICATE", &functions::kReplicate},
    {"REVERSE", &functions::kReverse},
    {"RIGHT", &functions::kRight},
    {"ROUND", &functions::kRound},
    {"RTRIM", &functions::kRightTrim},
    {"SET_DIFFERENCE", &functions::kSetDifference},
    {"SET_EQUAL", &functions::kSetEqual},
    {"SET_INTERSECT", &functions::kSetIntersect},
    {"SET_UNION", &functions::kSetUnion},
    {"SIGN", &functions::kSign},
    {"SIN", &functions::kSin},
    {"SQRT", &functions::kSquareRoot},
    {"SQUARE", &functions::kSquare},
    {"STARTS_WITH", &functions::kStartsWith},
    {"STRING_EQUALS", &functions::kStringEquals},
    {"STRING_JOIN", &functions::kStringJoin},
    {"STRING_SPLIT", &functions::kStringSplit},
    {"STRING_TO_ARRAY", &functions::kStringToArray},
    {"STRING_TO_BOOLEAN", &functions::kStringToBoolean},
    {"STRING_TO_NULL", &functions::kStringToNull},
    {"STRING_TO_NUMBER", &functions::kStringToNumber},
    {"STRING_TO_OBJECT", &functions::kStringToObject},
    {"ST_AREA", &functions::kStArea},
    {"ST_DISTANCE", &functions::kStDistance},
    {"ST_INTERSECTS", &functions::kStIntersects},
    {"ST_ISVALID", &functions::kStIsValid},
    {"ST_ISVALIDDETAILED", &functions::kStIsValidDetailed},
    {"ST_WITHIN", &functions::kStWithin},
    {"SUBSTRING", &functions::kSubstring},
    {"SUBSTRING_AFTER", &functions::kSubstringAfter},
    {"SUBSTRING_BEFORE", &functions::kSubstringBefore},
    {"TAN", &functions::kTan},
    {"TICKS_TO_DATE_TIME", &functions::kTicksToDateTime},
    {"TIMESTAMP_TO_DATE_TIME", &functions::kTimestampToDateTime},
    {"TO_STRING", &functions::kToString},
    {"TRIM", &functions::kTrim},
    {"TRUNC", &functions::kTruncate},
    {"UPPER", &functions::kUpper},
    {"VECTOR_DISTANCE", &functions::kVectorDistance},
    {"YEAR", &functions::kYear},
};

struct AggregateRow {
  std::string_view name;
  const Aggregate* aggregate;
};

constexpr AggregateRow kAggregates[] = {
    {"AVG", &functions::kAverage},      {"COUNT", &functions::kCount},
    {"COUNT_IF", &functions::kCountIf}, {"MAKE_LIST", &functions::kMakeList},
    {"MAKE_SET", &functions::kMakeSet}, {"MAX", &functions::kMax},
    {"MIN", &functions::kMin},          {"SUM", &functions::kSum},
};

constexpr std::string_view kUnsupported[] = {
    "FULL_TEXT_CONTAINS", "FULL_TEXT_CONTAINS_ALL", "FULL_TEXT_CONTAINS_ANY", "FULL_TEXT_SCORE", "RRF",
};

// Longest name.
constexpr size_t kNameMax = 40;

class Names {
 public:
  Names() {
    for (const Row& row : kFunctions) Add({row.name, row.function});
    for (const AggregateRow& row : kAggregates) Add(AggregateName(row));
    Add(OtherName("IIF", NameKind::kConditional, 3, 3));
    Add(OtherName("CHOOSE", NameKind::kChoose, 2, Function::kAnyNumber));
    for (std::string_view name : kUnsupported) Add(OtherName(name, NameKind::kUnsupported, 0, Function::kAnyNumber));
  }

  const FunctionName* Find(const std::string& upper) const {
    auto found = names_.find(upper);
    return found == names_.end() ? nullptr : &found->second;
  }

 private:
  static FunctionName AggregateName(const AggregateRow& row) {
    FunctionName name = OtherName(row.name, NameKind::kAggregate, 1, 1);
    name.aggregate = row.aggregate;
    return name;
  }

  static FunctionName OtherName(std::string_view text, NameKind kind, int min, int max) {
    FunctionName name;
    name.name = text;
    name.kind = kind;
    name.arguments_min = min;
    name.arguments_max = max;
    return name;
  }

  void Add(const Row& row) {
    FunctionName name =
        OtherName(row.name, NameKind::kFunction, row.function->arguments_min, row.function->arguments_max);
    name.function = row.function;
    Add(name);
  }

  // Adds three spellings: with all words apart, with none apart, and with DATETIME as one word.
  void Add(const FunctionName& name) {
    std::string apart(name.name);
    names_.emplace(apart, name);
    std::string joined = apart;
    std::erase(joined, '_');
    names_.emplace(joined, name);
    constexpr std::string_view kDateTime = "DATE_TIME";
    size_t at = apart.find(kDateTime);
    if (at != std::string::npos) names_.emplace(apart.replace(at, kDateTime.size(), "DATETIME"), name);
  }

  std::unordered_map<std::string, FunctionName> names_;
};

}  // namespace

const FunctionName* FindFunction(std::string_view name) {
  static const Names names;
  if (name.size() > kNameMax) return nullptr;
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), UpperAscii);
  return names.Find(upper);
}

OperatorFunction FunctionOf(Operator op) {
  switch (op) {
    case Operator::kNone: return {};
    case Operator::kMinus: return {"negate", &functions::kNegate};
    case Operator::kPlus: return {"plus", &functions::kPlus};
    case Operator::kBitNot: return {"~", &functions::kBitNot};
    case Operator::kNot: return {"not", &functions::kNot};
    case Operator::kMultiply: return {"*", &functions::kMultiply};
    case Operator::kDivide: return {"/", &functions::kDivide};
    case Operator::kModulo: return {"%", &functions::kRemainder};
    case Operator::kAdd: return {"+", &functions::kAdd};
    case Operator::kSubtract: return {"-", &functions::kSubtract};
    case Operator::kBitAnd: return {"&", &functions::kBitAnd};
    case Operator::kBitXor: return {"^", &functions::kBitXor};
    case Operator::kBitOr: return {"|", &functions::kBitOr};
    case Operator::kConcat: return {"||", &functions::kConcat};
    case Operator::kEqual: return {"=", &functions::kEqual};
    case Operator::kNotEqual: return {"!=", &functions::kNotEqual};
    case Operator::kLess: return {"<", &functions::kLess};
    case Operator::kGreater: return {">", &functions::kGreater};
    case Operator::kLessOrEqual: return {"<=", &functions::kLessOrEqual};
    case Operator::kGreaterOrEqual: return {">=", &functions::kGreaterOrEqual};
    case Operator::kShiftLeft: return {"<<", &functions::kShiftLeft};
    case Operator::kShiftRight: return {">>", &functions::kShiftRight};
    case Operator::kShiftRightUnsigned: return {">>>", &functions::kShiftRightUnsigned};
  }
  return {};
}

OperatorFunction BetweenFunction() {
  return {"between", &functions::kBetween};
}

OperatorFunction InFunction() {
  return {"in", &functions::kIn};
}

OperatorFunction LikeFunction() {
  return {"like", &functions::kLike};
}

}  // namespace lapse::query::sql
