#include "base/hex.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/test_bytes.h"

namespace lapse {
namespace {

using namespace std::string_view_literals;

TEST(HexTest, KnownAnswers) {
  EXPECT_EQ(HexUpper(""), "");
  EXPECT_EQ(HexUpper("\x00\x0F\xA5\xFF"sv), "000FA5FF");
  std::string bytes;
  EXPECT_TRUE(FromHex("000fA5Ff", &bytes));
  EXPECT_EQ(bytes, "\x00\x0F\xA5\xFF"sv);
}

TEST(HexTest, GuidsHaveFiveGroups) {
  std::string guid = "=";
  AppendGuid(0x0123456789ABCDEF, 0xFEDCBA9876543210, &guid);
  EXPECT_EQ(guid, "=01234567-89ab-cdef-fedc-ba9876543210");
  EXPECT_EQ(guid.size(), 1 + kGuidChars);
  for (size_t at = 0; at < kGuidChars; ++at) EXPECT_EQ(IsGuidDash(at), guid[1 + at] == '-') << at;
}

TEST(HexTest, RefusesWhatIsNotHex) {
  std::string bytes;
  for (std::string_view bad : {"0", "0g", "g0", " 00", "0x00", "00 "}) EXPECT_FALSE(FromHex(bad, &bytes)) << bad;
}

TEST(HexTest, RoundTrips) {
  std::mt19937_64 random(2);
  for (size_t size = 0; size < 70; ++size) {
    std::string bytes = RandomBytes(&random, size);
    std::string back;
    ASSERT_TRUE(FromHex(HexUpper(bytes), &back));
    EXPECT_EQ(back, bytes);
  }
}

TEST(HexTest, DigitsHaveValues) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const size_t lower = kLowerHexDigits.find(c), upper = kUpperHexDigits.find(c);
    const auto value = [](size_t at) { return at == std::string_view::npos ? -1 : static_cast<int>(at); };
    EXPECT_EQ(LowerHexDigit(c), value(lower)) << byte;
    EXPECT_EQ(HexDigit(c), lower != std::string_view::npos ? value(lower) : value(upper)) << byte;
  }
}

}  // namespace
}  // namespace lapse
