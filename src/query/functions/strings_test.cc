#include <gtest/gtest.h>

#include <string>

#include "query/functions/string_changes.h"
#include "query/functions/string_parts.h"
#include "query/functions/string_search.h"
#include "query/functions/test_eval.h"

namespace lapse::query::functions {
namespace {

// U+1F600: two UTF-16 units, four UTF-8 bytes. U+00E9: one unit, two bytes.
#define SMILE "\xF0\x9F\x98\x80"
#define E_ACUTE "\xC3\xA9"
#define BIG_E_ACUTE "\xC3\x89"

using StringSearchTest = FunctionTest;
using StringPartsTest = FunctionTest;
using StringChangesTest = FunctionTest;

TEST_F(StringSearchTest, Contains) {
  Expect(kContains, {
                        {"'AdventureWorks', 'Works'", "true"},
                        {"'AdventureWorks', 'works'", "false"},
                        {"'AdventureWorks', 'works', false", "false"},
                        {"'AdventureWorks', 'works', true", "true"},
                        {"'AdventureWorks', ''", "true"},
                        {"'', ''", "true"},
                        {"'', 'a'", "false"},
                        {"'caf" E_ACUTE "s', '" BIG_E_ACUTE "S', true", "true"},
                        {"'caf" E_ACUTE "', '" BIG_E_ACUTE "', false", "false"},
                    });
  ExpectKinds(kContains, "ss", "'abc', 'b'");
  ExpectKinds(kContains, "ssb", "'abc', 'b', true");
}

TEST_F(StringSearchTest, StartsWith) {
  Expect(kStartsWith, {
                          {"'AdventureWorks', 'Adventure'", "true"},
                          {"'AdventureWorks', 'adventure'", "false"},
                          {"'AdventureWorks', 'adventure', true", "true"},
                          {"'AdventureWorks', ''", "true"},
                          {"'a', 'ab'", "false"},
                          {"'a', 'ab', true", "false"},
                          {"'" E_ACUTE "x', '" BIG_E_ACUTE "', true", "true"},
                      });
  ExpectKinds(kStartsWith, "ssb", "'abc', 'a', false");
}

TEST_F(StringSearchTest, EndsWith) {
  Expect(kEndsWith, {
                        {"'AdventureWorks', 'Works'", "true"},
                        {"'AdventureWorks', 'works'", "false"},
                        {"'AdventureWorks', 'works', true", "true"},
                        {"'AdventureWorks', ''", "true"},
                        {"'b', 'ab', true", "false"},
                        {"'x" E_ACUTE "', '" BIG_E_ACUTE "', true", "true"},
                    });
  ExpectKinds(kEndsWith, "ssb", "'abc', 'c', false");
}

TEST_F(StringSearchTest, StringEquals) {
  Expect(kStringEquals, {
                            {"'AdventureWorks', 'AdventureWorks'", "true"},
                            {"'AdventureWorks', 'adventureworks'", "false"},
                            {"'AdventureWorks', 'adventureworks', true", "true"},
                            {"'', ''", "true"},
                            {"'a', 'ab', true", "false"},
                            {"'ab', 'a', true", "false"},
                        });
  ExpectKinds(kStringEquals, "ssb", "'abc', 'c', false");
}

TEST_F(StringSearchTest, ContainsAllAndAnyAreThreeValued) {
  Expect(kContainsAllCs, {
                             {"'Have a nice day!', 'Have', 'day'", "true"},
                             {"'Have a nice day!', 'have', 'day'", "false"},
                             {"'abc', 'a', undefined", "undefined"},
                             {"'abc', 'z', undefined", "false"},
                             {"'abc', 'a', 1", "undefined"},
                             {"1, 'a'", "undefined"},
                         });
  Expect(kContainsAllCi, {{"'Have a nice day!', 'have', 'DAY'", "true"}, {"'abc', 'B', 'D'", "false"}});
  Expect(kContainsAnyCs, {
                             {"'Have a nice day!', 'have', 'day'", "true"},
                             {"'Have a nice day!', 'have', 'DAY'", "false"},
                             {"'abc', 'a', undefined", "true"},
                             {"'abc', 'z', undefined", "undefined"},
                             {"undefined, 'a'", "undefined"},
                         });
  Expect(kContainsAnyCi, {{"'abc', 'z', 'B'", "true"}, {"'abc', 'z'", "false"}});
}

TEST_F(StringSearchTest, IndexOf) {
  Expect(kIndexOf, {
                       {"'AdventureWorks', 'A'", "0"},
                       {"'AdventureWorks', 's'", "13"},
                       {"'AdventureWorks', 'tureW'", "5"},
                       {"'AdventureWorks', 'Cosmos'", "-1"},
                       {"'AdventureWorks', 'Works', 5", "9"},
                       {"'AdventureWorks', 'Adventure', 5", "-1"},
                       {"'AdventureWorks', 'aD'", "-1"},
                       {"'abc', ''", "0"},
                       {"'abc', '', 3", "3"},
                       {"'abc', '', 4", "-1"},
                       {"'abc', 'a', -1", "-1"},
                       {"'abc', 'a', 1.5", "undefined"},
                       {"'" SMILE "x', 'x'", "2"},
                       {"'" SMILE SMILE "', '" SMILE "', 1", "2"},
                   });
  ExpectKinds(kIndexOf, "ssi", "'abc', 'b', 0");
}

TEST_F(StringSearchTest, LastIndexOf) {
  Expect(kLastIndexOf, {
                           {"'abcdeabc', 'abc'", "5"},
                           {"'abcdeabc', 'abc', 6", "0"},
                           {"'abcdeabc', 'abc', 7", "5"},
                           {"'abcdeabc', 'abc', 100", "5"},
                           {"'abcdeabc', 'fg'", "-1"},
                           {"'abc', 'a', -1", "-1"},
                           {"'abc', ''", "3"},
                           {"'" SMILE "x" SMILE "', '" SMILE "'", "3"},
                       });
  ExpectKinds(kLastIndexOf, "ssi", "'abc', 'b', 2");
}

// 100,000 times 50,000 comparisons would be noticeable.
TEST_F(StringSearchTest, HostileTextsAreSearchedInLinearTime) {
  const std::string text(2'000'000, 'a');
  const std::string part = std::string(500'000, 'a') + "b" + std::string(500'000, 'a');
  const std::vector<Value> arguments = {Value::String(text), Value::String(part)};
  EXPECT_EQ(Shown(Call(kContains, arguments)), "false");
  EXPECT_EQ(Shown(Call(kIndexOf, arguments)), "-1");
  EXPECT_EQ(Shown(Call(kLastIndexOf, arguments)), "-1");
  EXPECT_EQ(Shown(Call(kLastIndexOf, {Value::String(text), Value::String(std::string(1'000'000, 'a'))})), "1000000");
}

TEST_F(StringPartsTest, LeftAndRight) {
  Expect(kLeft, {
                    {"'AdventureWorks', 9", "'Adventure'"},
                    {"'AdventureWorks', 0", "''"},
                    {"'AdventureWorks', -1", "''"},
                    {"'AdventureWorks', 100", "'AdventureWorks'"},
                    {"'AdventureWorks', 2.0", "'Ad'"},
                    {"'AdventureWorks', 9223372036854775807", "'AdventureWorks'"},
                    {"'a" SMILE "b', 2", "'a'"},
                    {"'a" SMILE "b', 3", "'a" SMILE "'"},
                });
  Expect(kRight, {
                     {"'AdventureWorks', 5", "'Works'"},
                     {"'AdventureWorks', 0", "''"},
                     {"'AdventureWorks', -1", "''"},
                     {"'AdventureWorks', 100", "'AdventureWorks'"},
                     {"'a" SMILE "b', 2", "'b'"},
                     {"'a" SMILE "b', 3", "'" SMILE "b'"},
                     {"'', 3", "''"},
                 });
  ExpectKinds(kLeft, "si", "'abc', 1");
  ExpectKinds(kRight, "si", "'abc', 1");
}

TEST_F(StringPartsTest, Substring) {
  Expect(kSubstring, {
                         {"'AdventureWorks', 0, 9", "'Adventure'"},
                         {"'AdventureWorks', 9, 5", "'Works'"},
                         {"'AdventureWorks', 0, 14", "'AdventureWorks'"},
                         {"'AdventureWorks', 0, -1", "''"},
                         {"'abc', 1, 1", "'b'"},
                         {"'abc', -1, 2", "''"},
                         {"'abc', 3, 1", "''"},
                         {"'abc', 1, 9223372036854775807", "'bc'"},
                         {"'abc', 9223372036854775807, 1", "''"},
                         {"'', 0, 1", "''"},
                         {"'" SMILE "', 0, 1", "''"},
                         {"'" SMILE "', 0, 2", "'" SMILE "'"},
                         {"'" SMILE "x', 1, 2", "'x'"},
                     });
  ExpectKinds(kSubstring, "sii", "'abc', 0, 1");
}

TEST_F(StringPartsTest, Length) {
  Expect(kLength, {{"'AdventureWorks'", "14"}, {"''", "0"}, {"'" E_ACUTE "'", "1"}, {"'" SMILE "'", "2"}});
  ExpectKinds(kLength, "s", "'abc'");
}

TEST_F(StringPartsTest, Trim) {
  Expect(kTrim, {
                    {"'   AdventureWorks   '", "'AdventureWorks'"},
                    {"'___AdventureWorks___', '_'", "'AdventureWorks'"},
                    {"'xyabcyx', 'yx'", "'abc'"},
                    {"'  a  ', ''", "'  a  '"},
                    {"'   '", "''"},
                    {"''", "''"},
                    {"'" SMILE "a" SMILE "', '" SMILE "'", "'a'"},
                    {"'\xE3\x80\x80"
                     "a\xC2\xA0'",
                     "'a'"},
                });
  Expect(kLeftTrim, {{"'  a  '", "'a  '"}, {"'__a__', '_'", "'a__'"}});
  Expect(kRightTrim, {{"'  a  '", "'  a'"}, {"'__a__', '_'", "'__a'"}});
  // A long set uses a lookup table.
  std::string set;
  for (int i = 0; i < 300; ++i) set += "xyé😀";
  Expect(kTrim, {{"'xé😀yaxbyé', '" + set + "'", "'axb'"}, {"'ab', '" + set + "'", "'ab'"}});
  Expect(kLeftTrim, {{"'é😀éa😀', '" + set + "'", "'a😀'"}, {"'😀x', '" + set + "'", "''"}});
  for (const Function* function : {&kTrim, &kLeftTrim, &kRightTrim}) {
    ExpectKinds(*function, "s", "' a '");
    ExpectKinds(*function, "ss", "' a ', ' '");
  }
}

TEST_F(StringPartsTest, BeforeAndAfterADelimiter) {
  Expect(kSubstringAfter, {
                              {"'contoso|north|2026', '|'", "'north|2026'"},
                              {"'bike::touring::frame', '::'", "'touring::frame'"},
                              {"'abc', 'x'", "''"},
                              {"'abc', 'abc'", "''"},
                          });
  Expect(kSubstringBefore,
         {{"'contoso|north|2026', '|'", "'contoso'"}, {"'a/b/c', '/'", "'a'"}, {"'abc', 'x'", "'abc'"}});
  Expect(kLastSubstringAfter,
         {{"'/products/shoes/boots', '/'", "'boots'"}, {"'bike::touring::frame', '::'", "'frame'"}});
  Expect(kLastSubstringBefore, {{"'/products/shoes/boots', '/'", "'/products/shoes'"}, {"'A-B-C', '-'", "'A-B'"}});
  for (const Function* function : {&kSubstringAfter, &kSubstringBefore, &kLastSubstringAfter, &kLastSubstringBefore}) {
    ExpectKinds(*function, "ss", "'a-b', '-'");
  }
}

TEST_F(StringChangesTest, Concat) {
  Expect(kConcat, {{"'Adventure', 'Works'", "'AdventureWorks'"}, {"'a', 'b', 'c', ''", "'abc'"}, {"'', ''", "''"}});
  ExpectKinds(kConcat, "sss", "'a', 'b', 'c'");
}

TEST_F(StringChangesTest, LowerAndUpper) {
  Expect(kLower, {{"'AdventureWORKS'", "'adventureworks'"}, {"'" BIG_E_ACUTE SMILE "'", "'" E_ACUTE SMILE "'"}});
  Expect(kUpper, {{"'AdventureWorks'", "'ADVENTUREWORKS'"}, {"'" E_ACUTE "'", "'" BIG_E_ACUTE "'"}, {"''", "''"}});
  // A letter without a single upper case is unchanged.
  Expect(kUpper, {{"'\xC3\x9F'", "'\xC3\x9F'"}});
  // Georgian letters are longer in upper case than these two bytes; Cyrillic and Greek ones are not.
  Expect(kUpper, {{"'\xD0\xBF\xCF\x89'", "'\xD0\x9F\xCE\xA9'"}});
  ExpectKinds(kLower, "s", "'A'");
  ExpectKinds(kUpper, "s", "'a'");
}

TEST_F(StringChangesTest, Replace) {
  Expect(kReplace, {
                       {"'AdventureWorks', 'Works', 'Cycles'", "'AdventureCycles'"},
                       {"'aaa', 'a', 'bb'", "'bbbbbb'"},
                       {"'aaa', 'aa', 'b'", "'ba'"},
                       {"'abc', 'x', 'y'", "'abc'"},
                       {"'abc', 'abc', ''", "''"},
                       {"'abc', '', 'x'", "undefined"},
                       {"'ABC', 'a', 'x'", "'ABC'"},
                   });
  ExpectKinds(kReplace, "sss", "'abc', 'b', 'x'");
}

TEST_F(StringChangesTest, Replicate) {
  Expect(kReplicate, {
                         {"'Adventure', 3", "'AdventureAdventureAdventure'"},
                         {"'a', 0", "''"},
                         {"'a', -1", "undefined"},
                         {"'a', 10001", "undefined"},
                         {"'ab', 5001", "undefined"},
                         {"'ab', 9223372036854775807", "undefined"},
                         {"'a', Infinity", "undefined"},
                         {"'a', NaN", "undefined"},
                         {"'', 9223372036854775807", "''"},
                     });
  EXPECT_EQ(Call(kReplicate, values_.List("'a', 10000")).AsString().size(), 10'000u);
  ExpectKinds(kReplicate, "si", "'a', 2");
}

TEST_F(StringChangesTest, Reverse) {
  Expect(kReverse,
         {{"'AdventureWorks'", "'skroWerutnevdA'"}, {"''", "''"}, {"'a" SMILE E_ACUTE "'", "'" E_ACUTE SMILE "a'"}});
  ExpectKinds(kReverse, "s", "'ab'");
}

TEST_F(StringChangesTest, SplitAndJoin) {
  Expect(kStringSplit, {
                           {"'Handlebar', 'e'", "['Handl','bar']"},
                           {"'CARBON_STEEL_BIKE_WHEEL', '_'", "['CARBON','STEEL','BIKE','WHEEL']"},
                           {"'xenmoun mountain bike', 'moun'", "['xen',' ','tain bike']"},
                           {"'Helmet', ''", "['Helmet']"},
                           {"'', ''", "['']"},
                           {"'', ','", "['']"},
                           {"',', ','", "['','']"},
                       });
  Expect(kStringJoin, {
                          {"['a','b','c'], '-'", "'a-b-c'"},
                          {"['a'], '-'", "'a'"},
                          {"[], '-'", "''"},
                          {"['a','b'], ''", "'ab'"},
                          {"['a',1], '-'", "undefined"},
                      });
  ExpectKinds(kStringSplit, "ss", "'a', 'b'");
  ExpectKinds(kStringJoin, "as", "['x'], 'b'");
}

TEST_F(StringChangesTest, WhatIsBeyondTheBudgetStopsTheQuery) {
  EvalContext small({.memory_bytes_max = 10'000});
  const std::string text(6'000, 'a');
  const Value arguments[] = {Value::String(text), Value::String(text)};
  kConcat.evaluate(small, Arguments(arguments));
  EXPECT_TRUE(small.failed());
  EXPECT_EQ(small.status().code(), Code::kTooLarge);
  EXPECT_NE(small.status().message().find("10000"), std::string::npos);
}

TEST_F(StringChangesTest, AReplacementThatGrowsStaysWithinTheBudget) {
  EvalContext small({.memory_bytes_max = 1'000'000});
  const std::string text(10'000, 'a');
  const std::string longer(10'000, 'b');
  const Value arguments[] = {Value::String(text), Value::String("a"), Value::String(longer)};
  kReplace.evaluate(small, Arguments(arguments));
  EXPECT_TRUE(small.failed());
  EXPECT_LE(small.arena().held_bytes(), 1'000'000u);
}

}  // namespace
}  // namespace lapse::query::functions
