#include "base/ascii.h"

#include <gtest/gtest.h>

#include <string>

namespace lapse {
namespace {

TEST(AsciiTest, OnlyTheLettersOfAsciiHaveACase) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool upper = byte >= 'A' && byte <= 'Z', lower = byte >= 'a' && byte <= 'z';
    EXPECT_EQ(LowerAscii(c), upper ? static_cast<char>(byte + 32) : c) << byte;
    EXPECT_EQ(UpperAscii(c), lower ? static_cast<char>(byte - 32) : c) << byte;
    EXPECT_EQ(IsLetter(c), upper || lower) << byte;
    EXPECT_EQ(IsDigit(c), byte >= '0' && byte <= '9') << byte;
  }
}

TEST(AsciiTest, EqualsIgnoreCase) {
  EXPECT_TRUE(EqualsIgnoreCase("Content-TYPE", "content-type"));
  EXPECT_TRUE(EqualsIgnoreCase("", ""));
  EXPECT_FALSE(EqualsIgnoreCase("content-typ", "content-type"));
  EXPECT_FALSE(EqualsIgnoreCase("content-types", "content-type"));
  // Pairs of non-letters that differ in the same bit as a and A.
  EXPECT_FALSE(EqualsIgnoreCase("@[", "`{"));
  EXPECT_FALSE(EqualsIgnoreCase("\xC4", "\xE4"));
}

TEST(AsciiTest, SameIgnoringCase) {
  EXPECT_TRUE(SameIgnoringCase("Content-TYPE", "cONTENT-type"));
  EXPECT_FALSE(SameIgnoringCase("a", "ab"));
  EXPECT_FALSE(SameIgnoringCase("@[", "`{"));
}

TEST(AsciiTest, StartsWithIgnoreCase) {
  EXPECT_TRUE(StartsWithIgnoreCase("Bearer abc", "bearer "));
  EXPECT_TRUE(StartsWithIgnoreCase("BEARER ", "bearer "));
  EXPECT_TRUE(StartsWithIgnoreCase("any", ""));
  EXPECT_FALSE(StartsWithIgnoreCase("Bearer", "bearer "));
  EXPECT_FALSE(StartsWithIgnoreCase("Bearex abc", "bearer "));
}

TEST(AsciiTest, TrimBlanks) {
  EXPECT_EQ(TrimBlanks(" \t a b\t "), "a b");
  EXPECT_EQ(TrimBlanks("a"), "a");
  EXPECT_EQ(TrimBlanks(" \t "), "");
  EXPECT_EQ(TrimBlanks("\na\n"), "\na\n");
}

}  // namespace
}  // namespace lapse
