// Calls every function with every argument undefined, and of every type that it does not accept: the result must be
// undefined, never an error. IS_*, IIF, CHOOSE and CONTAINS_ANY/ALL have other rules and are not in this table.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/query/case_file.h"
#include "tests/query/query_fixture.h"

namespace lapse::query_tests {
namespace {

// The types that an argument may have, one letter each, and one valid argument: n null, b bool, d number, s string, a
// array, o object; * any.
struct Argument {
  const char* types;
  const char* good;
};

struct FunctionRow {
  const char* name;
  std::vector<Argument> arguments;
};

const Argument kText = {"s", "'hello'"};
const Argument kPart = {"s", "'l'"};
const Argument kFlag = {"b", "true"};
const Argument kWhole = {"d", "2"};
const Argument kNumbers = {"a", "[1, 2, 3]"};
const Argument kSmallObject = {"o", "{'a': 1}"};
const Argument kAny = {"*", "1"};
const Argument kDate = {"s", "'2021-03-04T05:06:07.1301617Z'"};
const Argument kDatePart = {"s", "'day'"};
const Argument kPoint = {"o", "{'type': 'Point', 'coordinates': [1, 2]}"};
const Argument kArea = {"o", "{'type': 'Polygon', 'coordinates': [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]]}"};

const std::vector<FunctionRow>& Functions() {
  static const std::vector<FunctionRow> functions = {
      {"CONCAT", {kText, kText, kText}},
      {"CONTAINS", {kText, kPart, kFlag}},
      {"STARTSWITH", {kText, kPart, kFlag}},
      {"ENDSWITH", {kText, kPart, kFlag}},
      {"STRINGEQUALS", {kText, kPart, kFlag}},
      {"INDEX_OF", {kText, kPart, kWhole}},
      {"LASTINDEXOF", {kText, kPart, kWhole}},
      {"LEFT", {kText, kWhole}},
      {"RIGHT", {kText, kWhole}},
      {"SUBSTRING", {kText, kWhole, kWhole}},
      {"LENGTH", {kText}},
      {"LOWER", {kText}},
      {"UPPER", {kText}},
      {"REVERSE", {kText}},
      {"TRIM", {kText, kPart}},
      {"LTRIM", {kText, kPart}},
      {"RTRIM", {kText, kPart}},
      {"REPLACE", {kText, kPart, kPart}},
      {"REPLICATE", {kText, kWhole}},
      {"STRINGSPLIT", {kText, kPart}},
      {"STRINGJOIN", {{"a", "['a', 'b']"}, kPart}},
      {"REGEXMATCH", {kText, kPart, {"s", "'i'"}}},
      {"STRINGTOARRAY", {{"s", "'[1]'"}}},
      {"STRINGTOBOOLEAN", {{"s", "'true'"}}},
      {"STRINGTONULL", {{"s", "'null'"}}},
      {"STRINGTONUMBER", {{"s", "'1'"}}},
      {"STRINGTOOBJECT", {{"s", "'{}'"}}},
      {"TOSTRING", {kAny}},
      {"ABS", {kWhole}},
      {"CEILING", {kWhole}},
      {"FLOOR", {kWhole}},
      {"SIGN", {kWhole}},
      {"SQRT", {kWhole}},
      {"SQUARE", {kWhole}},
      {"EXP", {kWhole}},
      {"LOG10", {kWhole}},
      {"SIN", {kWhole}},
      {"COS", {kWhole}},
      {"TAN", {kWhole}},
      {"ASIN", {kWhole}},
      {"ACOS", {kWhole}},
      {"ATAN", {kWhole}},
      {"COT", {kWhole}},
      {"DEGREES", {kWhole}},
      {"RADIANS", {kWhole}},
      {"ROUND", {kWhole}},
      {"TRUNC", {kWhole}},
      {"ATN2", {kWhole, kWhole}},
      {"POWER", {kWhole, kWhole}},
      {"LOG", {kWhole, kWhole}},
      {"NUMBERBIN", {kWhole, kWhole}},
      {"INTADD", {kWhole, kWhole}},
      {"INTSUB", {kWhole, kWhole}},
      {"INTMUL", {kWhole, kWhole}},
      {"INTDIV", {kWhole, kWhole}},
      {"INTMOD", {kWhole, kWhole}},
      {"INTBITAND", {kWhole, kWhole}},
      {"INTBITOR", {kWhole, kWhole}},
      {"INTBITXOR", {kWhole, kWhole}},
      {"INTBITNOT", {kWhole}},
      {"INTBITLEFTSHIFT", {kWhole, kWhole}},
      {"INTBITRIGHTSHIFT", {kWhole, kWhole}},
      {"ARRAY_CONCAT", {kNumbers, kNumbers, kNumbers}},
      {"ARRAY_LENGTH", {kNumbers}},
      {"ARRAY_CONTAINS", {kNumbers, kAny, kFlag}},
      {"ARRAY_CONTAINS_ANY", {kNumbers, kAny}},
      {"ARRAY_CONTAINS_ALL", {kNumbers, kAny}},
      {"ARRAY_SLICE", {kNumbers, kWhole, kWhole}},
      {"ARRAY_SUM", {kNumbers}},
      {"ARRAY_AVG", {kNumbers}},
      {"ARRAY_MEDIAN", {kNumbers}},
      {"ARRAY_MIN", {kNumbers}},
      {"ARRAY_MAX", {kNumbers}},
      {"SETUNION", {kNumbers, kNumbers}},
      {"SETINTERSECT", {kNumbers, kNumbers}},
      {"SETDIFFERENCE", {kNumbers, kNumbers}},
      {"SETEQUAL", {kNumbers, kNumbers}},
      {"OBJECTTOARRAY", {kSmallObject, kPart, {"s", "'v'"}}},
      {"VECTORDISTANCE", {kNumbers, kNumbers}},
      {"DATETIMEADD", {kDatePart, kWhole, kDate}},
      {"DATETIMEDIFF", {kDatePart, kDate, kDate}},
      {"DATETIMEPART", {kDatePart, kDate}},
      {"DATETIMEBIN", {kDate, kDatePart, kWhole, kDate}},
      {"DATETIMEFROMPARTS", {{"d", "2021"}, kWhole, kWhole, kWhole, kWhole, kWhole, kWhole}},
      {"DATETIMETOTICKS", {kDate}},
      {"DATETIMETOTIMESTAMP", {kDate}},
      {"TICKSTODATETIME", {kWhole}},
      {"TIMESTAMPTODATETIME", {kWhole}},
      {"YEAR", {kDate}},
      {"MONTH", {kDate}},
      {"DAY", {kDate}},
      {"DATETIMEFORMAT", {kDate, {"s", "'yyyy'"}}},
      {"AGO", {kDatePart, kWhole}},
      {"NOW", {kDatePart, kWhole}},
      {"ST_DISTANCE", {kPoint, kPoint}},
      {"ST_AREA", {kArea}},
      {"ST_WITHIN", {kPoint, kArea}},
      {"ST_INTERSECTS", {kPoint, kArea}},
  };
  return functions;
}

struct Wrong {
  char type;  // 'u': undefined
  std::vector<const char*> texts;
};

const std::vector<Wrong>& WrongArguments() {
  static const std::vector<Wrong> wrong = {
      {'u', {"undefined", "c.missing"}},
      {'n', {"c.nil"}},
      {'b', {"c.yes"}},
      {'d', {"c.half"}},
      {'s', {"c.word"}},
      {'a', {"c.list"}},
      {'o', {"c.small"}},
  };
  return wrong;
}

std::string CallWith(const FunctionRow& function, size_t place, const std::string& argument) {
  std::string call = std::string(function.name) + "(";
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    call.append(i == 0 ? "" : ", ").append(i == place ? argument : function.arguments[i].good);
  }
  return call + ")";
}

bool Takes(const Argument& argument, char type) {
  if (type == 'u') return false;
  return std::string(argument.types) == "*" || std::string(argument.types).find(type) != std::string::npos;
}

class FunctionTableTest : public QueryFixture {};

TEST_F(FunctionTableTest, ArgumentsThatAreUndefinedOrOfAWrongTypeGiveUndefined) {
  std::vector<QueryCase> cases;
  for (const FunctionRow& function : Functions()) {
    for (size_t place = 0; place < function.arguments.size(); ++place) {
      for (const Wrong& wrong : WrongArguments()) {
        if (Takes(function.arguments[place], wrong.type)) continue;
        for (const char* text : wrong.texts) {
          QueryCase one = ExpressionCase(CallWith(function, place, text), "undefined");
          one.file = __FILE__;
          one.line = __LINE__;
          one.documents = "values";
          cases.push_back(std::move(one));
        }
      }
    }
  }
  Check(cases);
}

// Makes sure that the table tests something: with valid arguments every result is defined.
TEST_F(FunctionTableTest, GoodArgumentsGiveAValue) {
  std::vector<QueryCase> cases;
  for (const FunctionRow& function : Functions()) {
    QueryCase one = ExpressionCase("IS_DEFINED(" + CallWith(function, function.arguments.size(), "") + ")", "true");
    one.file = __FILE__;
    one.line = __LINE__;
    one.documents = "values";
    cases.push_back(std::move(one));
  }
  Check(cases);
}

}  // namespace
}  // namespace lapse::query_tests
