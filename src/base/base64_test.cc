#include "base/base64.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

#include "base/test_bytes.h"

namespace lapse {
namespace {

// Test vectors of RFC 4648, section 10.
TEST(Base64Test, KnownAnswers) {
  constexpr std::pair<std::string_view, std::string_view> kVectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xFB\xFF\xBF", "+/+/"},
  };
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_EQ(Base64(bytes), text);
    std::string back;
    EXPECT_TRUE(FromBase64(text, &back)) << text;
    EXPECT_EQ(back, bytes);
  }
}

TEST(Base64Test, RefusesWhatIsNotBase64) {
  std::string bytes;
  for (std::string_view bad :
       {"Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Z=g=", "Zm9-", "Zm9_", "Zm9v\n", " Zm9"}) {
    EXPECT_FALSE(FromBase64(bad, &bytes)) << bad;
  }
}

TEST(Base64Test, FormsDifferInTwoDigitsAndPadding) {
  constexpr std::string_view kBytes = "\xFB\xFF\xBF\xFB";
  EXPECT_EQ(Base64(kBytes, kBase64), "+/+/+w==");
  EXPECT_EQ(Base64(kBytes, kBase64DashForSlash), "+-+-+w==");
  EXPECT_EQ(Base64(kBytes, kBase64Url), "-_-_-w");
  std::string text = "before ";
  AppendBase64(kBytes, kBase64Url, &text);
  EXPECT_EQ(text, "before -_-_-w");
}

TEST(Base64Test, EachFormRefusesTheDigitsAndThePaddingOfTheOthers) {
  std::string bytes;
  for (std::string_view bad : {"-_-_", "Zg"}) EXPECT_FALSE(FromBase64(bad, &bytes, kBase64)) << bad;
  for (std::string_view bad : {"+/+/", "_A==", "Zg"}) EXPECT_FALSE(FromBase64(bad, &bytes, kBase64DashForSlash)) << bad;
  for (std::string_view bad : {"+A", "/A", "Zg==", "Zm8=", "Z", "Zm9vZ"}) {
    EXPECT_FALSE(FromBase64(bad, &bytes, kBase64Url)) << bad;
  }
}

TEST(Base64Test, RoundTrips) {
  std::mt19937_64 random(3);
  for (const Base64Form& form : {kBase64, kBase64DashForSlash, kBase64Url}) {
    for (size_t size = 0; size < 70; ++size) {
      const std::string bytes = RandomBytes(&random, size);
      const std::string text = Base64(bytes, form);
      EXPECT_EQ(text.size(), Base64Chars(size, form));
      std::string back;
      ASSERT_TRUE(FromBase64(text, &back, form));
      EXPECT_EQ(back, bytes);
    }
  }
}

}  // namespace
}  // namespace lapse
