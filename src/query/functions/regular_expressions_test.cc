#include "query/functions/regular_expressions.h"

#include <gtest/gtest.h>

#include <string>

#include "query/functions/pattern_cache.h"
#include "query/functions/test_eval.h"

namespace lapse::query::functions {
namespace {

using RegularExpressionsTest = FunctionTest;

TEST_F(RegularExpressionsTest, Match) {
  Expect(kRegexMatch, {
                          {"'abcd', 'ABC', ''", "false"},
                          {"'abcd', 'ABC', 'i'", "true"},
                          {"'abcd', 'ab.*', ''", "true"},
                          {"'abcd', 'bc'", "true"},
                          {"'abcd', '^bc'", "false"},
                          {"'abcd', '^abcd$'", "true"},
                          {"'a\\nb', '^b$'", "false"},
                          {"'a\\nb', '^b$', 'm'", "true"},
                          {"'a\\nb', 'a.b'", "false"},
                          {"'a\\nb', 'a.b', 's'", "true"},
                          {"'abc', 'a b c', 'x'", "true"},
                          {"'abc', 'a b # the rest\\n c', 'x'", "true"},
                          {"'a b', 'a\\\\ b', 'x'", "true"},
                          {"'a b', 'a[ ]b', 'x'", "true"},
                          {"'a#b', 'a[#]b', 'x'", "true"},
                          {"'ABC', 'a b c', 'ix'", "true"},
                          {"'', ''", "true"},
                          {"'abc', 'a', 'g'", "undefined"},
                          {"'abc', '('", "undefined"},
                          {"'abc', '['", "undefined"},
                          {"'abc', '*a'", "undefined"},
                          {"'\xC3\x89', '\xC3\xA9', 'i'", "true"},
                      });
  ExpectKinds(kRegexMatch, "ss", "'abc', 'b'");
  ExpectKinds(kRegexMatch, "sss", "'abc', 'b', ''");
}

TEST_F(RegularExpressionsTest, WhatNeedsMoreThanLinearTimeIsABadPattern) {
  Expect(kRegexMatch, {{"'aa', '(a)\\\\1'", "undefined"}, {"'ab', 'a(?=b)'", "undefined"}});
}

TEST_F(RegularExpressionsTest, HostilePatternsEnd) {
  const std::string text(100'000, 'a');
  EXPECT_EQ(Shown(Call(kRegexMatch, {Value::String(text), Value::String("(a*)*b")})), "false");
  EXPECT_EQ(Shown(Call(kRegexMatch, {Value::String(text), Value::String("(a|aa)+$b")})), "false");
  EXPECT_EQ(Shown(Call(kRegexMatch, {Value::String(text), Value::String("((a{1,100}){1,100}){1,100}")})), "undefined");
  EXPECT_EQ(Shown(Call(kRegexMatch, {Value::String("a"), Value::String(std::string(10'001, 'a'))})), "undefined");
  EXPECT_EQ(Shown(Call(kRegexMatch, {Value::String("a"), Value::String(std::string(5'000, '('))})), "undefined");
  // Each search runs to the end of the text, and there is one for each character.
  EXPECT_EQ(Shown(Call(kRegexExtractAll, {Value::String(text), Value::String("a*b|a")})), "undefined");
}

TEST_F(RegularExpressionsTest, Extract) {
  Expect(kRegexExtract, {
                            {"'SKU-93821-BLUE', '[A-Z]+'", "'SKU'"},
                            {"'SKU-93821-BLUE', '[0-9]+'", "'93821'"},
                            {"'SKU-93821', 'sku-([0-9]+)', 'i', 1", "'93821'"},
                            {"'SKU-93821', 'sku-([0-9]+)', 'i', 0", "'SKU-93821'"},
                            {"'abc', 'x'", "undefined"},
                            {"'abc', 'b', '', 1", "undefined"},
                            {"'abc', 'b', '', -1", "undefined"},
                            {"'b', '(a)|(b)', '', 1", "undefined"},
                            {"'abc', ''", "''"},
                        });
  ExpectKinds(kRegexExtract, "sssi", "'abc', '(b)', '', 1");
}

TEST_F(RegularExpressionsTest, ExtractAll) {
  Expect(kRegexExtractAll, {
                               {"'A12-B34-C56', '[0-9]+'", "['12','34','56']"},
                               {"'north-east-west', '[a-z]+'", "['north','east','west']"},
                               {"'A12-B34', '([A-Z])([0-9]+)', '', 2", "['12','34']"},
                               {"'abc', 'x'", "[]"},
                               {"'ab', ''", "['','','']"},
                               {"'\xC3\xA9', 'x*'", "['','']"},
                               {"'ab', '(a)|(b)', '', 1", "['a']"},
                               {"'ab', '('", "undefined"},
                           });
  ExpectKinds(kRegexExtractAll, "sssi", "'abc', '(b)', '', 1");
}

TEST_F(RegularExpressionsTest, AnEmptyTextWithoutBytes) {
  const Value empty = Value::String({});
  EXPECT_EQ(Shown(Call(kRegexExtract, {empty, Value::String("a*")})), "''");
  EXPECT_EQ(Shown(Call(kRegexExtractAll, {empty, Value::String("a*")})), "['']");
}

TEST(PatternCacheTest, KeepsThePatternsThatWereUsedLast) {
  PatternCache cache;
  for (int i = 0; i < 100; ++i) {
    ASSERT_NE(cache.Get("kept", ""), nullptr);
    ASSERT_NE(cache.Get("a" + std::to_string(i), ""), nullptr);
    ASSERT_LE(cache.size(), PatternCache::kPatternsMax);
  }
  const Pattern* kept = cache.Get("kept", "");
  cache.Get("other", "");
  EXPECT_EQ(cache.Get("kept", ""), kept);
}

TEST(PatternCacheTest, RemembersBadPatternsToo) {
  PatternCache cache;
  EXPECT_EQ(cache.Get("(", ""), nullptr);
  EXPECT_EQ(cache.Get("(", ""), nullptr);
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.Get("a", "q"), nullptr);
}

}  // namespace
}  // namespace lapse::query::functions
