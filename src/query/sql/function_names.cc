#include "query/sql/function_names.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ascii.h"

namespace lapse::query::sql {
namespace {

constexpr int kAny = FunctionName::kAnyNumber;

struct Row {
  std::string_view name;  // with all its words apart
  int arguments_min;
  int arguments_max;
};

// Each may also be written without underscores.
constexpr Row kFunctions[] = {
    {"ABS", 1, 1},
    {"ACOS", 1, 1},
    {"AGO", 2, 2},
    {"ARRAY_AVG", 1, 1},
    {"ARRAY_CONCAT", 2, kAny},
    {"ARRAY_CONTAINS", 2, 3},
    {"ARRAY_CONTAINS_ALL", 2, kAny},
    {"ARRAY_CONTAINS_ANY", 2, kAny},
    {"ARRAY_LENGTH", 1, 1},
    {"ARRAY_MAX", 1, 1},
    {"ARRAY_MEDIAN", 1, 1},
    {"ARRAY_MIN", 1, 1},
    {"ARRAY_SLICE", 2, 3},
    {"ARRAY_SUM", 1, 1},
    {"ASIN", 1, 1},
    {"ATAN", 1, 1},
    {"ATN2", 2, 2},
    {"CEILING", 1, 1},
    {"CONCAT", 2, kAny},
    {"CONTAINS", 2, 3},
    {"CONTAINS_ALL_CI", 2, kAny},
    {"CONTAINS_ALL_CS", 2, kAny},
    {"CONTAINS_ANY_CI", 2, kAny},
    {"CONTAINS_ANY_CS", 2, kAny},
    {"COS", 1, 1},
    {"COT", 1, 1},
    {"DATE_TIME_ADD", 3, 3},
    {"DATE_TIME_BIN", 2, 4},
    {"DATE_TIME_DIFF", 3, 3},
    {"DATE_TIME_FORMAT", 2, 2},
    {"DATE_TIME_FROM_PARTS", 3, 7},
    {"DATE_TIME_PART", 2, 2},
    {"DATE_TIME_TO_TICKS", 1, 1},
    {"DATE_TIME_TO_TIMESTAMP", 1, 1},
    {"DAY", 1, 1},
    {"DEGREES", 1, 1},
    {"DOCUMENT_ID", 1, 1},
    {"ENDS_WITH", 2, 3},
    {"EXP", 1, 1},
    {"FLOOR", 1, 1},
    {"GET_CURRENT_DATE_TIME", 0, 0},
    {"GET_CURRENT_DATE_TIME_STATIC", 0, 0},
    {"GET_CURRENT_TICKS", 0, 0},
    {"GET_CURRENT_TICKS_STATIC", 0, 0},
    {"GET_CURRENT_TIMESTAMP", 0, 0},
    {"GET_CURRENT_TIMESTAMP_STATIC", 0, 0},
    {"INDEX_OF", 2, 3},
    {"INT_ADD", 2, 2},
    {"INT_BIT_AND", 2, 2},
    {"INT_BIT_LEFT_SHIFT", 2, 2},
    {"INT_BIT_NOT", 1, 1},
    {"INT_BIT_OR", 2, 2},
    {"INT_BIT_RIGHT_SHIFT", 2, 2},
    {"INT_BIT_XOR", 2, 2},
    {"INT_DIV", 2, 2},
    {"INT_MOD", 2, 2},
    {"INT_MUL", 2, 2},
    {"INT_SUB", 2, 2},
    {"IS_ARRAY", 1, 1},
    {"IS_BOOL", 1, 1},
    {"IS_BOOLEAN", 1, 1},
    {"IS_DATE_TIME", 1, 1},
    {"IS_DATETIME", 1, 1},
    {"IS_DEFINED", 1, 1},
    {"IS_FINITE_NUMBER", 1, 1},
    {"IS_INTEGER", 1, 1},
    {"IS_NULL", 1, 1},
    {"IS_NUMBER", 1, 1},
    {"IS_OBJECT", 1, 1},
    {"IS_PRIMITIVE", 1, 1},
    {"IS_STRING", 1, 1},
    {"LAST_INDEX_OF", 2, 3},
    {"LAST_SUBSTRING_AFTER", 2, 2},
    {"LAST_SUBSTRING_BEFORE", 2, 2},
    {"LEFT", 2, 2},
    {"LENGTH", 1, 1},
    {"LOG", 1, 2},
    {"LOG10", 1, 1},
    {"LOWER", 1, 1},
    {"LTRIM", 1, 2},
    {"MONTH", 1, 1},
    {"NOW", 0, 2},
    {"NUMBER_BIN", 1, 2},
    {"OBJECT_TO_ARRAY", 1, 3},
    {"PI", 0, 0},
    {"POWER", 2, 2},
    {"RADIANS", 1, 1},
    {"RAND", 0, 0},
    {"REGEX_EXTRACT", 2, 4},
    {"REGEX_EXTRACT_ALL", 2, 4},
    {"REGEX_MATCH", 2, 3},
    {"REPLACE", 3, 3},
    {"REPLICATE", 2, 2},
    {"REVERSE", 1, 1},
    {"RIGHT", 2, 2},
    {"ROUND", 1, 2},
    {"RTRIM", 1, 2},
    {"SET_DIFFERENCE", 2, 2},
    {"SET_EQUAL", 2, 2},
    {"SET_INTERSECT", 2, 2},
    {"SET_UNION", 2, 2},
    {"SIGN", 1, 1},
    {"SIN", 1, 1},
    {"SQRT", 1, 1},
    {"SQUARE", 1, 1},
    {"STARTS_WITH", 2, 3},
    {"STRING_EQUALS", 2, 3},
    {"STRING_JOIN", 2, 2},
    {"STRING_SPLIT", 2, 2},
    {"STRING_TO_ARRAY", 1, 1},
    {"STRING_TO_BOOLEAN", 1, 1},
    {"STRING_TO_NULL", 1, 1},
    {"STRING_TO_NUMBER", 1, 1},
    {"STRING_TO_OBJECT", 1, 1},
    {"ST_AREA", 1, 1},
    {"ST_DISTANCE", 2, 2},
    {"ST_INTERSECTS", 2, 2},
    {"ST_ISVALID", 1, 1},
    {"ST_ISVALIDDETAILED", 1, 1},
    {"ST_WITHIN", 2, 2},
    {"SUBSTRING", 3, 3},
    {"SUBSTRING_AFTER", 2, 2},
    {"SUBSTRING_BEFORE", 2, 2},
    {"TAN", 1, 1},
    {"TICKS_TO_DATE_TIME", 1, 1},
    {"TIMESTAMP_TO_DATE_TIME", 1, 1},
    {"TO_STRING", 1, 1},
    {"TRIM", 1, 2},
    {"TRUNC", 1, 1},
    {"UPPER", 1, 1},
    {"VECTOR_DISTANCE", 2, 4},
    {"YEAR", 1, 1},
};

struct AggregateRow {
  std::string_view name;
  plan::AggregateKind kind;
};

constexpr AggregateRow kAggregates[] = {
    {"AVG", plan::AggregateKind::kAverage},      {"COUNT", plan::AggregateKind::kCount},
    {"COUNT_IF", plan::AggregateKind::kCountIf}, {"MAKE_LIST", plan::AggregateKind::kMakeList},
    {"MAKE_SET", plan::AggregateKind::kMakeSet}, {"MAX", plan::AggregateKind::kMax},
    {"MIN", plan::AggregateKind::kMin},          {"SUM", plan::AggregateKind::kSum},
};

constexpr std::string_view kUnsupported[] = {
    "FULL_TEXT_CONTAINS", "FULL_TEXT_CONTAINS_ALL", "FULL_TEXT_CONTAINS_ANY", "FULL_TEXT_SCORE", "RRF",
};

// No name is longer.
constexpr size_t kNameMax = 40;

class Names {
 public:
  Names() {
    for (const Row& row : kFunctions) {
      Add({.name = row.name, .arguments_min = row.arguments_min, .arguments_max = row.arguments_max});
    }
    for (const AggregateRow& row : kAggregates) {
      Add({.name = row.name,
           .kind = NameKind::kAggregate,
           .arguments_min = 1,
           .arguments_max = 1,
           .aggregate = row.kind});
    }
    Add({.name = "IIF", .kind = NameKind::kConditional, .arguments_min = 3, .arguments_max = 3});
    Add({.name = "CHOOSE", .kind = NameKind::kChoose, .arguments_min = 2, .arguments_max = kAny});
    for (std::string_view name : kUnsupported) {
      Add({.name = name, .kind = NameKind::kUnsupported, .arguments_max = kAny});
    }
  }

  const FunctionName* Find(const std::string& upper) const {
    auto found = names_.find(upper);
    return found == names_.end() ? nullptr : &found->second;
  }

 private:
  // With all words apart, with none apart, and DATETIME as one word.
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
    case Operator::kMinus: return {"negate", nullptr};
    case Operator::kPlus: return {"plus", nullptr};
    case Operator::kBitNot: return {"~", nullptr};
    case Operator::kNot: return {"not", nullptr};
    case Operator::kMultiply: return {"*", nullptr};
    case Operator::kDivide: return {"/", nullptr};
    case Operator::kModulo: return {"%", nullptr};
    case Operator::kAdd: return {"+", nullptr};
    case Operator::kSubtract: return {"-", nullptr};
    case Operator::kBitAnd: return {"&", nullptr};
    case Operator::kBitXor: return {"^", nullptr};
    case Operator::kBitOr: return {"|", nullptr};
    case Operator::kConcat: return {"||", nullptr};
    case Operator::kEqual: return {"=", nullptr};
    case Operator::kNotEqual: return {"!=", nullptr};
    case Operator::kLess: return {"<", nullptr};
    case Operator::kGreater: return {">", nullptr};
    case Operator::kLessOrEqual: return {"<=", nullptr};
    case Operator::kGreaterOrEqual: return {">=", nullptr};
    case Operator::kShiftLeft: return {"<<", nullptr};
    case Operator::kShiftRight: return {">>", nullptr};
    case Operator::kShiftRightUnsigned: return {">>>", nullptr};
  }
  return {};
}

OperatorFunction BetweenFunction() {
  return {"between", nullptr};
}

OperatorFunction InFunction() {
  return {"in", nullptr};
}

OperatorFunction LikeFunction() {
  return {"like", nullptr};
}

}  // namespace lapse::query::sql
