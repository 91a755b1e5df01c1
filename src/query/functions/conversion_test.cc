#include "query/functions/conversion.h"

#include <gtest/gtest.h>

#include "query/functions/test_eval.h"
#include "query/functions/type_checks.h"

namespace lapse::query::functions {
namespace {

using ConversionTest = FunctionTest;
using TypeChecksTest = FunctionTest;

TEST_F(ConversionTest, ToString) {
  Expect(kToString, {
                        {"'x'", "'x'"},
                        {"1", "'1'"},
                        {"1.0", "'1'"},
                        {"1.5", "'1.5'"},
                        {"1e21", "'1e+21'"},
                        {"NaN", "'NaN'"},
                        {"-Infinity", "'-Infinity'"},
                        {"true", "'true'"},
                        {"null", "'null'"},
                        {"undefined", "undefined"},
                        {"[1, 2.0, null]", "'[1,2,null]'"},
                        {"''", "''"},
                    });
  EXPECT_EQ(Call(kToString, values_.List("{'a':'x\\ny','b':{'c':[]}}")).AsString(), R"({"a":"x\ny","b":{"c":[]}})");
  EXPECT_EQ(Call(kToString, values_.List("['\\u0001\\\\']")).AsString(), R"(["\u0001\\"])");
}

TEST_F(ConversionTest, StringToNumber) {
  Expect(kStringToNumber, {
                              {"'1.000000'", "1.0"},
                              {"'3.14'", "3.14"},
                              {"'   60   '", "60"},
                              {"'-1.79769e+308'", "-1.79769e+308"},
                              {"'9007199254740993'", "9007199254740993"},
                              {"''", "undefined"},
                              {"' '", "undefined"},
                              {"'1,2'", "undefined"},
                              {"'[1]'", "undefined"},
                              {"'1],[2'", "undefined"},
                              {"'0x10'", "undefined"},
                              {"'01'", "undefined"},
                              {"'1e999'", "undefined"},
                              {"'one'", "undefined"},
                              {"'true'", "undefined"},
                          });
  ExpectKinds(kStringToNumber, "s", "'1'");
}

TEST_F(ConversionTest, StringToBooleanAndNull) {
  Expect(kStringToBoolean, {{"'true'", "true"},
                            {"'    false'", "false"},
                            {"'TRUE'", "undefined"},
                            {"'1'", "undefined"},
                            {"''", "undefined"}});
  Expect(kStringToNull, {{"'null'", "null"}, {"'  null '", "null"}, {"'NULL'", "undefined"}, {"''", "undefined"}});
}

TEST_F(ConversionTest, StringToArrayAndObject) {
  const auto parse = [this](const Function& function, std::string_view json) {
    return Shown(Call(function, {Value::String(json)}));
  };
  EXPECT_EQ(parse(kStringToArray, R"([1, "a", {"b": null}])"), "[1,'a',{'b':null}]");
  EXPECT_EQ(parse(kStringToArray, " [ ] "), "[]");
  EXPECT_EQ(parse(kStringToArray, "{}"), "undefined");
  EXPECT_EQ(parse(kStringToArray, "[1,]"), "undefined");
  EXPECT_EQ(parse(kStringToArray, "['a']"), "undefined");
  EXPECT_EQ(parse(kStringToArray, ""), "undefined");
  EXPECT_EQ(parse(kStringToArray, std::string(200, '[') + std::string(200, ']')), "undefined");
  EXPECT_EQ(parse(kStringToObject, R"({"a":{"b":[1]}})"), "{'a':{'b':[1]}}");
  EXPECT_EQ(parse(kStringToObject, " {} "), "{}");
  EXPECT_EQ(parse(kStringToObject, "[]"), "undefined");
  EXPECT_EQ(parse(kStringToObject, "{a:1}"), "undefined");
  EXPECT_EQ(parse(kStringToObject, "{}x"), "undefined");
  EXPECT_EQ(Eval(kStringToArray, "1"), "undefined");
  EXPECT_EQ(Eval(kStringToObject, "{}"), "undefined");
}

TEST_F(TypeChecksTest, EachKnowsItsTypes) {
  struct Row {
    const Function* check;
    std::string_view yes;
  };
  // A letter for each of the values below.
  const std::string_view letters = "uNbidFsSaoD";
  const std::vector<Value> all =
      values_.List("undefined, null, true, 1, 1.5, Infinity, 'x', '', [], {}, '2020-01-01T00:00:00.0000000Z'");
  const Row rows[] = {
      {&kIsArray, "a"},   {&kIsBool, "b"},     {&kIsDateTime, "D"},         {&kIsDefined, "NbidFsSaoD"},
      {&kIsInteger, "i"}, {&kIsNull, "N"},     {&kIsNumber, "idF"},         {&kIsFiniteNumber, "id"},
      {&kIsObject, "o"},  {&kIsString, "sSD"}, {&kIsPrimitive, "NbidFsSD"},
  };
  for (const Row& row : rows) {
    for (size_t i = 0; i < all.size(); ++i) {
      const bool expected = row.yes.find(letters[i]) != std::string_view::npos;
      EXPECT_EQ(Shown(Call(*row.check, {all[i]})), expected ? "true" : "false") << row.yes << " " << Shown(all[i]);
    }
  }
}

TEST_F(TypeChecksTest, IntegersMayBeDoublesWithinInt64) {
  Expect(kIsInteger,
         {{"1.0", "true"}, {"-9223372036854775808.0", "true"}, {"9223372036854775808.0", "false"}, {"NaN", "false"}});
}

}  // namespace
}  // namespace lapse::query::functions
