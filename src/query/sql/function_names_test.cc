#include "query/sql/function_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lapse::query::sql {
namespace {

// As the language's documentation spells them.
constexpr std::string_view kDocumented[] = {
    "IS_ARRAY",
    "IS_BOOL",
    "IS_BOOLEAN",
    "IS_NULL",
    "IS_NUMBER",
    "IS_OBJECT",
    "IS_STRING",
    "IS_DEFINED",
    "IS_PRIMITIVE",
    "IS_FINITE_NUMBER",
    "IS_INTEGER",
    "IS_DATETIME",
    "CONCAT",
    "CONTAINS",
    "STARTSWITH",
    "ENDSWITH",
    "STRINGEQUALS",
    "CONTAINS_ALL_CI",
    "CONTAINS_ALL_CS",
    "CONTAINS_ANY_CI",
    "CONTAINS_ANY_CS",
    "INDEX_OF",
    "LASTINDEXOF",
    "LEFT",
    "RIGHT",
    "SUBSTRING",
    "LENGTH",
    "LOWER",
    "UPPER",
    "REVERSE",
    "TRIM",
    "LTRIM",
    "RTRIM",
    "REPLACE",
    "REPLICATE",
    "STRINGSPLIT",
    "STRINGJOIN",
    "REGEXMATCH",
    "REGEXEXTRACT",
    "REGEXEXTRACTALL",
    "SUBSTRINGAFTER",
    "SUBSTRINGBEFORE",
    "LASTSUBSTRINGAFTER",
    "LASTSUBSTRINGBEFORE",
    "TOSTRING",
    "STRINGTOARRAY",
    "STRINGTOBOOLEAN",
    "STRINGTONULL",
    "STRINGTONUMBER",
    "STRINGTOOBJECT",
    "ABS",
    "CEILING",
    "FLOOR",
    "SIGN",
    "SQRT",
    "SQUARE",
    "EXP",
    "LOG10",
    "SIN",
    "COS",
    "TAN",
    "ASIN",
    "ACOS",
    "ATAN",
    "COT",
    "DEGREES",
    "RADIANS",
    "ATN2",
    "POWER",
    "PI",
    "LOG",
    "ROUND",
    "TRUNC",
    "RAND",
    "NUMBERBIN",
    "INTADD",
    "INTSUB",
    "INTMUL",
    "INTDIV",
    "INTMOD",
    "INTBITAND",
    "INTBITOR",
    "INTBITXOR",
    "INTBITNOT",
    "INTBITLEFTSHIFT",
    "INTBITRIGHTSHIFT",
    "ARRAY_CONCAT",
    "ARRAY_LENGTH",
    "ARRAY_CONTAINS",
    "ARRAY_CONTAINS_ANY",
    "ARRAY_CONTAINS_ALL",
    "ARRAY_SLICE",
    "ARRAY_SUM",
    "ARRAY_AVG",
    "ARRAY_MEDIAN",
    "ARRAY_MIN",
    "ARRAY_MAX",
    "SETUNION",
    "SETINTERSECT",
    "SETDIFFERENCE",
    "SETEQUAL",
    "OBJECTTOARRAY",
    "DOCUMENTID",
    "HASH",
    "VECTORDISTANCE",
    "ST_DISTANCE",
    "ST_AREA",
    "ST_WITHIN",
    "ST_INTERSECTS",
    "ST_ISVALID",
    "ST_ISVALIDDETAILED",
    "DATETIMEADD",
    "DATETIMEDIFF",
    "DATETIMEPART",
    "YEAR",
    "MONTH",
    "DAY",
    "DATETIMEBIN",
    "DATETIMEFROMPARTS",
    "DATETIMETOTICKS",
    "TICKSTODATETIME",
    "DATETIMETOTIMESTAMP",
    "TIMESTAMPTODATETIME",
    "GETCURRENTDATETIME",
    "GETCURRENTTICKS",
    "GETCURRENTTIMESTAMP",
    "GETCURRENTDATETIMESTATIC",
    "GETCURRENTTICKSSTATIC",
    "GETCURRENTTIMESTAMPSTATIC",
    "NOW",
    "AGO",
    "DATETIMEFORMAT",
};

TEST(FunctionNamesTest, EveryFunctionOfTheLanguageIsThere) {
  for (std::string_view name : kDocumented) {
    const FunctionName* found = FindFunction(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->kind, NameKind::kFunction) << name;
    ASSERT_NE(found->function, nullptr) << name;
    EXPECT_EQ(found->arguments_min, found->function->arguments_min) << name;
    EXPECT_EQ(found->arguments_max, found->function->arguments_max) << name;
  }
}

TEST(FunctionNamesTest, Aggregates) {
  std::set<const Aggregate*> different;
  for (std::string name : {"COUNT", "SUM", "AVG", "MIN", "MAX", "COUNTIF", "MAKELIST", "MAKESET"}) {
    const FunctionName* found = FindFunction(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->kind, NameKind::kAggregate) << name;
    EXPECT_EQ(found->arguments_min, 1) << name;
    EXPECT_EQ(found->arguments_max, 1) << name;
    EXPECT_NE(found->aggregate, nullptr) << name;
    different.insert(found->aggregate);
  }
  EXPECT_EQ(different.size(), 8u);
}

TEST(FunctionNamesTest, WhatIsLazyIsNoFunction) {
  EXPECT_EQ(FindFunction("IIF")->kind, NameKind::kConditional);
  EXPECT_EQ(FindFunction("CHOOSE")->kind, NameKind::kChoose);
}

TEST(FunctionNamesTest, FullTextIsKnownAndNotBuilt) {
  for (std::string name : {"FULLTEXTCONTAINS", "FullTextContainsAll", "FULLTEXTCONTAINSANY", "FULLTEXTSCORE", "RRF"}) {
    EXPECT_EQ(FindFunction(name)->kind, NameKind::kUnsupported) << name;
  }
}

TEST(FunctionNamesTest, CaseDoesNotCountAndWordsMayStandApart) {
  for (std::string name : {"StringToNumber", "STRING_TO_NUMBER", "string_to_number"}) {
    ASSERT_NE(FindFunction(name), nullptr) << name;
    EXPECT_EQ(FindFunction(name)->function, FindFunction("STRINGTONUMBER")->function) << name;
  }
  for (std::string name : {"SET_UNION", "OBJECT_TO_ARRAY", "TO_STRING", "STARTS_WITH", "ENDS_WITH", "STRING_EQUALS",
                           "REGEX_MATCH", "NUMBER_BIN", "INT_BIT_LEFT_SHIFT", "DATETIME_ADD", "DATE_TIME_ADD",
                           "GET_CURRENT_DATETIME", "GET_CURRENT_TIMESTAMP", "LAST_INDEX_OF", "INDEXOF", "ISDEFINED"}) {
    EXPECT_NE(FindFunction(name), nullptr) << name;
  }
}

TEST(FunctionNamesTest, OtherNamesAreNotThere) {
  for (std::string name : {"", "FOO", "ABS_", "_ABS", "A_BS", "STRING_TONUMBER", "ALL", "FIRST"}) {
    EXPECT_EQ(FindFunction(name), nullptr) << name;
  }
  EXPECT_EQ(FindFunction(std::string(100000, 'A')), nullptr);
}

TEST(FunctionNamesTest, EveryOperatorHasAFunctionOfItsOwn) {
  std::set<const Function*> different;
  int count = 0;
  for (int op = static_cast<int>(Operator::kMinus); op <= static_cast<int>(Operator::kShiftRightUnsigned); ++op) {
    OperatorFunction found = FunctionOf(static_cast<Operator>(op));
    ASSERT_NE(found.function, nullptr) << op;
    different.insert(found.function);
    ++count;
  }
  for (const OperatorFunction& found : {BetweenFunction(), InFunction(), LikeFunction()}) {
    different.insert(found.function);
    ++count;
  }
  EXPECT_EQ(different.size(), static_cast<size_t>(count));
}

}  // namespace
}  // namespace lapse::query::sql
