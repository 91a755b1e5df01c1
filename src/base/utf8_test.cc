#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace lapse {
namespace {

std::string Utf8(char32_t c) {
  char bytes[kUtf8BytesMax];
  return {bytes, PutUtf8(c, bytes)};
}

TEST(Utf8Test, WritesOneToFourBytes) {
  EXPECT_EQ(Utf8(0), std::string(1, '\0'));
  EXPECT_EQ(Utf8(0x7F), "\x7F");
  EXPECT_EQ(Utf8(0x80), "\xC2\x80");
  EXPECT_EQ(Utf8(0x7FF), "\xDF\xBF");
  EXPECT_EQ(Utf8(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(Utf8(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(Utf8(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(Utf8(0x10FFFF), "\xF4\x8F\xBF\xBF");
}

TEST(Utf8Test, TellsContinuationsAndHighControls) {
  EXPECT_FALSE(IsContinuation('a'));
  EXPECT_FALSE(IsContinuation('\xC3'));
  EXPECT_TRUE(IsContinuation('\xA4'));
  for (char32_t c : {0x80, 0x9F}) EXPECT_TRUE(BeginsHighControl(Utf8(c))) << static_cast<int>(c);
  for (char32_t c : {0x1F, 0x7F, 0xA0, 0xC4}) EXPECT_FALSE(BeginsHighControl(Utf8(c))) << static_cast<int>(c);
  EXPECT_FALSE(BeginsHighControl("\xC2"));
  EXPECT_FALSE(BeginsHighControl("\xC2 "));
}

}  // namespace
}  // namespace lapse
