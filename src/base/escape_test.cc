#include "base/escape.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace lapse {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(JsonEscapeTest, WritesWhatJsonAsksFor) {
  const auto escape = [](char c) {
    char buffer[kJsonEscapeCharsMax];
    return std::string(JsonEscape(c, &buffer));
  };
  std::string all;
  for (const char c : "\"\\\b\f\n\r\t\x01\x1f\0"sv) all += escape(c);
  EXPECT_EQ(all, R"(\"\\\b\f\n\r\t\u0001\u001f\u0000)");
  EXPECT_EQ(escape('\x9b'), R"(\u009b)");
}

TEST(JsonUnescapeTest, UndoesWhatJsonEscapes) {
  for (const char c : "\"\\\b\f\n\r\t"sv) {
    char buffer[kJsonEscapeCharsMax];
    EXPECT_EQ(JsonUnescape(JsonEscape(c, &buffer)[1]), c);
  }
  EXPECT_EQ(JsonUnescape('/'), '/');
  for (const char c : "ux'a0\0"sv) EXPECT_EQ(JsonUnescape(c), 0) << c;
}

TEST(TakeJsonCodePointTest, ReadsUnitsAndPairs) {
  const auto take = [](std::string_view text) {
    const int32_t code = TakeJsonCodePoint(&text);
    return std::pair(code, std::string(text));
  };
  EXPECT_EQ(take("0041rest"), std::pair(0x41, "rest"s));
  EXPECT_EQ(take("d83d\\uDE00!"), std::pair(0x1F600, "!"s));
  EXPECT_EQ(take("ffff\\u0041"), std::pair(0xFFFF, "\\u0041"s));
  for (std::string_view malformed : {"", "004", "004g", "+041", " 041"}) {
    EXPECT_EQ(take(malformed).first, kEscapeMalformed) << malformed;
  }
  for (std::string_view unpaired : {"d83d", "d83dx", "d83d\\n", "d83d\\u", "d83d\\u0041", "d83d\\ud83d", "de00"}) {
    EXPECT_EQ(take(unpaired).first, kEscapeUnpaired) << unpaired;
  }
}

TEST(PercentEncodeTest, LeavesUnreservedCharacters) {
  EXPECT_EQ(PercentEncode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(PercentEncode("a b/\xc3\xa4%+\0"sv), "a%20b%2F%C3%A4%25%2B%00");
}

TEST(PercentDecodeTest, DecodesEscapesOnly) {
  std::string decoded;
  EXPECT_TRUE(PercentDecode("a%20b%2Fc%c3%A4+", &decoded));
  EXPECT_EQ(decoded, "a b/c\xc3\xa4+");
  for (std::string_view malformed : {"%", "%2", "a%zz", "%2g", "%%20"}) {
    EXPECT_FALSE(PercentDecode(malformed, &decoded)) << malformed;
  }
}

TEST(PercentDecodeTest, UndoesEncoding) {
  std::string all, back;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  EXPECT_TRUE(PercentDecode(PercentEncode(all), &back));
  EXPECT_EQ(back, all);
}

}  // namespace
}  // namespace lapse
