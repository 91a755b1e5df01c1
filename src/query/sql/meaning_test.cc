// Tests what the text of an expression evaluates to: every operator and every function by name, through parser, binder
// and evaluator. The functions have tests of their own. These tests prove that each name leads to its function, and
// that operators have the right precedence.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/exec/eval/evaluator.h"
#include "query/functions/eval_context.h"
#include "query/sql/bind.h"
#include "query/sql/parse.h"
#include "query/values/test_value.h"

namespace lapse::query::sql {
namespace {

// Returns the value as JSON with single quotes, or the error.
std::string ValueOf(const std::string& expression) {
  auto tree = Parse("SELECT VALUE " + expression);
  if (!tree.ok()) return tree.status().message();
  auto plan = Bind(*tree, {});
  if (!plan.ok()) return plan.status().message();
  exec::Evaluator evaluator(plan->slot_count(), {.now_ticks = 17'000'000'000'000'000});
  return Shown(evaluator.Evaluate(*plan->query().last->expression));
}

struct Meaning {
  std::string expression;
  std::string value;
};

void Check(const std::vector<Meaning>& meanings) {
  for (const Meaning& one : meanings) EXPECT_EQ(ValueOf(one.expression), one.value) << one.expression;
}

TEST(MeaningTest, Operators) {
  Check({
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"7 - 2 - 1", "4"},
      {"7 / 2", "3.5"},
      {"-7 % 4", "-3"},
      {"- 5", "-5"},
      {"+ 5", "5"},
      {"~5", "-6"},
      {"12 & 10", "8"},
      {"12 | 3", "15"},
      {"12 ^ 10", "6"},
      {"1 << 4", "16"},
      {"-16 >> 2", "-4"},
      {"-1 >>> 28", "15"},
      {"'a' || 'b' || 'c'", "'abc'"},
      {"1 = 1.0", "true"},
      {"1 != 2", "true"},
      {"1 <> 1", "false"},
      {"1 < 2", "true"},
      {"1 > 2", "false"},
      {"2 <= 1", "false"},
      {"2 >= 2", "true"},
      {"NOT true", "false"},
      {"NOT true = false", "true"},
      {"NOT (1 = 1)", "false"},
      {"true AND false", "false"},
      {"false OR true", "true"},
      {"true AND undefined", "undefined"},
      {"undefined OR true", "true"},
      {"false OR true AND false", "false"},
      {"3 BETWEEN 1 AND 5", "true"},
      {"3 NOT BETWEEN 1 AND 5", "false"},
      {"true AND 3 BETWEEN 4 AND 5", "false"},
      {"2 IN (1, 2)", "true"},
      {"2 NOT IN (1, 2)", "false"},
      {"'abc' LIKE 'a%'", "true"},
      {"'abc' NOT LIKE 'a%'", "false"},
      {"'10%' LIKE '10!%' ESCAPE '!'", "true"},
      {"undefined ?? 1 ?? 2", "1"},
      {"null ?? 1", "null"},
      {"true ? 1 : 2", "1"},
      {"undefined ? 1 : false ? 2 : 3", "3"},
      {"IIF(1 = 1, 'a', 'b')", "'a'"},
      {"CHOOSE(2, 'a', 'b')", "'b'"},
      {"(LET x = 3 IN x * x)", "9"},
      {"{a: [1, 2]}.a[1]", "2"},
      {"{a: {'b c': 1}}['a']['b c']", "1"},
      {"[1, undefined, 2]", "[1,2]"},
      {"{a: undefined, b: 1}", "{'b':1}"},
      {"0xFF", "255"},
      {"NaN", "NaN"},
      {"-Infinity", "-Infinity"},
  });
}

TEST(MeaningTest, TypesAndConversions) {
  Check({
      {"[IS_ARRAY([]), IS_BOOL(true), IS_BOOLEAN(true), IS_NULL(null), IS_NUMBER(1), IS_OBJECT({}), IS_STRING('')]",
       "[true,true,true,true,true,true,true]"},
      {"[IS_ARRAY({}), IS_BOOL(1), IS_BOOLEAN(1), IS_NULL(0), IS_NUMBER(''), IS_OBJECT([]), IS_STRING(1)]",
       "[false,false,false,false,false,false,false]"},
      {"[IS_DEFINED(undefined), IS_DEFINED(null)]", "[false,true]"},
      {"[IS_PRIMITIVE('a'), IS_PRIMITIVE([])]", "[true,false]"},
      {"[IS_FINITE_NUMBER(1.5), IS_FINITE_NUMBER(NaN)]", "[true,false]"},
      {"[IS_INTEGER(2), IS_INTEGER(2.5)]", "[true,false]"},
      {"[IS_DATETIME('2020-01-02'), IS_DATETIME('x')]", "[true,false]"},
      {"ToString(1.5)", "'1.5'"},
      {"StringToArray('[1]')", "[1]"},
      {"StringToBoolean('true')", "true"},
      {"StringToNull('null')", "null"},
      {"StringToNumber('5')", "5"},
      {"StringToObject('{\"a\":1}')", "{'a':1}"},
  });
}

TEST(MeaningTest, Strings) {
  Check({
      {"CONCAT('a', 'b', 'c')", "'abc'"},
      {"[CONTAINS('abc', 'B'), CONTAINS('abc', 'B', true)]", "[false,true]"},
      {"[STARTSWITH('abc', 'ab'), ENDSWITH('abc', 'ab')]", "[true,false]"},
      {"[ENDSWITH('abc', 'bc'), STRINGEQUALS('a', 'A', true)]", "[true,true]"},
      {"[CONTAINS_ALL_CI('abc', 'A', 'x'), CONTAINS_ANY_CI('abc', 'A', 'x')]", "[false,true]"},
      {"[CONTAINS_ALL_CS('abc', 'a', 'b'), CONTAINS_ANY_CS('abc', 'A', 'B')]", "[true,false]"},
      {"[INDEX_OF('abab', 'b'), LASTINDEXOF('abab', 'b')]", "[1,3]"},
      {"[LEFT('abc', 2), RIGHT('abc', 2)]", "['ab','bc']"},
      {"SUBSTRING('abcd', 1, 2)", "'bc'"},
      {"[LENGTH('abc'), LOWER('aB'), UPPER('aB'), REVERSE('abc')]", "[3,'ab','AB','cba']"},
      {"[TRIM(' a '), LTRIM(' a '), RTRIM(' a ')]", "['a','a ',' a']"},
      {"REPLACE('aba', 'a', 'x')", "'xbx'"},
      {"REPLICATE('ab', 2)", "'abab'"},
      {"STRINGSPLIT('a,b', ',')", "['a','b']"},
      {"STRINGJOIN(['a', 'b'], '-')", "'a-b'"},
      {"REGEXMATCH('abc', '^A', 'i')", "true"},
      {"REGEXEXTRACT('a1b2', '[0-9]')", "'1'"},
      {"REGEXEXTRACTALL('a1b2', '[0-9]')", "['1','2']"},
      {"[SUBSTRINGAFTER('a.b.c', '.'), SUBSTRINGBEFORE('a.b.c', '.')]", "['b.c','a']"},
      {"[LASTSUBSTRINGAFTER('a.b.c', '.'), LASTSUBSTRINGBEFORE('a.b.c', '.')]", "['c','a.b']"},
  });
}

TEST(MeaningTest, Numbers) {
  Check({
      {"[ABS(-2), CEILING(1.2), FLOOR(1.8), ROUND(1.5), TRUNC(-1.5), SIGN(-3)]", "[2,2,1,2,-1,-1]"},
      {"[SQRT(9), SQUARE(3), POWER(2, 3), EXP(0), LOG(1), LOG10(100)]", "[3,9,8,1,0,2]"},
      {"[SIN(0), COS(0), TAN(0), ASIN(0), ACOS(1), ATAN(0), ATN2(0, 1)]", "[0,1,0,0,0,0,0]"},
      {"[COT(1) = 1 / TAN(1), DEGREES(PI()), RADIANS(180) = PI()]", "[true,180,true]"},
      {"[RAND() >= 0, RAND() < 1]", "[true,true]"},
      {"NUMBERBIN(37, 10)", "30"},
      {"[INTADD(7, 2), INTSUB(7, 2), INTMUL(7, 2), INTDIV(7, 2), INTMOD(7, 2)]", "[9,5,14,3,1]"},
      {"[INTBITAND(12, 10), INTBITOR(12, 3), INTBITXOR(12, 10), INTBITNOT(5)]", "[8,15,6,-6]"},
      {"[INTBITLEFTSHIFT(1, 40), INTBITRIGHTSHIFT(-16, 2)]", "[1099511627776,-4]"},
  });
}

TEST(MeaningTest, ArraysSetsAndObjects) {
  Check({
      {"ARRAY_CONCAT([1], [2], [3])", "[1,2,3]"},
      {"[ARRAY_CONTAINS([1, 2], 2), ARRAY_CONTAINS([{a: 1, b: 2}], {a: 1}, true)]", "[true,true]"},
      {"[ARRAY_CONTAINS_ANY([1, 2], 2, 3), ARRAY_CONTAINS_ALL([1, 2], 2, 3)]", "[true,false]"},
      {"[ARRAY_LENGTH([1, 2]), ARRAY_SLICE([1, 2, 3], 1)]", "[2,[2,3]]"},
      {"[ARRAY_SUM([1, 2, 6]), ARRAY_AVG([1, 2, 6]), ARRAY_MEDIAN([1, 2, 6]), ARRAY_MIN([1, 2, 6]), "
       "ARRAY_MAX([1, 2, 6])]",
       "[9,3,2,1,6]"},
      {"[SETUNION([1, 2], [2, 3]), SETINTERSECT([1, 2], [2, 3]), SETDIFFERENCE([1, 2], [2, 3])]", "[[1,2,3],[2],[1]]"},
      {"SETEQUAL([1, 2], [2, 1, 1])", "true"},
      {"OBJECTTOARRAY({a: 1})", "[{'k':'a','v':1}]"},
      {"VECTORDISTANCE([1, 0], [1, 0])", "1"},
      {"HASH(1) = HASH(1.0)", "true"},
      {"DOCUMENTID({})", "undefined"},
  });
}

TEST(MeaningTest, Dates) {
  Check({
      {"DateTimeAdd('day', 1, '2020-02-28T00:00:00.0000000Z')", "'2020-02-29T00:00:00.0000000Z'"},
      {"DateTimeDiff('day', '2020-01-01', '2020-01-03')", "2"},
      {"DateTimePart('mm', '2020-03-04')", "3"},
      {"[YEAR('2020-03-04'), MONTH('2020-03-04'), DAY('2020-03-04')]", "[2020,3,4]"},
      {"DateTimeBin('2021-01-08T18:35:00Z', 'dd', 7)", "'2021-01-07T00:00:00.0000000Z'"},
      {"DateTimeFromParts(2020, 9, 4)", "'2020-09-04T00:00:00.0000000Z'"},
      {"[DateTimeToTicks('1970-01-01T00:00:01Z'), DateTimeToTimestamp('1970-01-01T00:00:01Z')]", "[10000000,1000]"},
      {"[TicksToDateTime(10000000), TimestampToDateTime(2000)]",
       "['1970-01-01T00:00:01.0000000Z','1970-01-01T00:00:02.0000000Z']"},
      {"[GetCurrentDateTime(), GetCurrentDateTimeStatic()]",
       "['2023-11-14T22:13:20.0000000Z','2023-11-14T22:13:20.0000000Z']"},
      {"[GetCurrentTicks(), GetCurrentTicksStatic()]", "[17000000000000000,17000000000000000]"},
      {"[GetCurrentTimestamp(), GetCurrentTimestampStatic()]", "[1700000000000,1700000000000]"},
      {"NOW() = GetCurrentDateTime()", "true"},
      {"AGO('day', 1)", "'2023-11-13T22:13:20.0000000Z'"},
      {"DateTimeFormat('2020-03-04', 'yyyy/MM/dd')", "'2020/03/04'"},
  });
}

TEST(MeaningTest, Places) {
  Check({
      {"ST_DISTANCE({type: 'Point', coordinates: [1, 2]}, {type: 'Point', coordinates: [1, 2]})", "0"},
      {"ST_AREA({type: 'Point', coordinates: [1, 2]})", "0"},
      {"ST_WITHIN({type: 'Point', coordinates: [1, 1]}, "
       "{type: 'Polygon', coordinates: [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]})",
       "true"},
      {"ST_INTERSECTS({type: 'Point', coordinates: [5, 5]}, "
       "{type: 'Polygon', coordinates: [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]})",
       "false"},
      {"ST_ISVALID({type: 'Point', coordinates: [1, 2]})", "true"},
      {"ST_ISVALIDDETAILED({type: 'Point', coordinates: [1, 2]})", "{'valid':true}"},
  });
}

}  // namespace
}  // namespace lapse::query::sql
