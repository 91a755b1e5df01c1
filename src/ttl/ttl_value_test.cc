#include "ttl/ttl_value.h"

#include <gtest/gtest.h>

#include <limits>

#include "ttl/saturating.h"

namespace lapse::ttl {
namespace {

TEST(TtlValueTest, TtlIsMinusOneOrPositiveInt32) {
  for (int64_t valid : {-1LL, 1LL, 60LL, 2147483647LL}) EXPECT_EQ(ParseTtl(valid), valid);
  for (int64_t invalid : {0LL, -2LL, -10LL, 2147483648LL, 4294967295LL, 4294967297LL}) {
    EXPECT_EQ(ParseTtl(invalid), std::nullopt) << invalid;
  }
  EXPECT_EQ(ParseTtl(kInt64Max), std::nullopt);
  EXPECT_EQ(ParseTtl(kInt64Min), std::nullopt);
  EXPECT_EQ(ParseTtl(std::nullopt), std::nullopt);
}

TEST(TtlValueTest, ExpireAfterIsNotNegative) {
  for (int64_t valid : {0LL, 1LL, 2147483647LL}) EXPECT_EQ(ParseExpireAfter(valid), valid);
  for (int64_t invalid : {-1LL, 2147483648LL, 4294967296LL}) EXPECT_EQ(ParseExpireAfter(invalid), std::nullopt);
  EXPECT_EQ(ParseExpireAfter(std::nullopt), std::nullopt);
}

TEST(TtlValueTest, WholeNumbers) {
  EXPECT_EQ(WholeNumber(5.0), 5);
  EXPECT_EQ(WholeNumber(-1.0), -1);
  EXPECT_EQ(WholeNumber(-0.0), 0);
  EXPECT_EQ(WholeNumber(-9223372036854775808.0), kInt64Min);
  EXPECT_EQ(WholeNumber(9223372036854774784.0), 9223372036854774784);
}

TEST(TtlValueTest, NotWholeNumbers) {
  for (double number : {1.5, 20.5, 0.1, -1.5, 5e-324, 9223372036854775808.0, -9223372036854777856.0, 1e300, -1e300}) {
    EXPECT_EQ(WholeNumber(number), std::nullopt) << number;
  }
  EXPECT_EQ(WholeNumber(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
  EXPECT_EQ(WholeNumber(std::numeric_limits<double>::infinity()), std::nullopt);
  EXPECT_EQ(WholeNumber(-std::numeric_limits<double>::infinity()), std::nullopt);
}

TEST(DurationTest, UnitsAndTheirSums) {
  const std::pair<const char*, int64_t> cases[] = {
      {"15", 15'000},
      {"0", 0},
      {"90s", 90'000},
      {"1h", 3'600'000},
      {"30d", 2'592'000'000},
      {"5m", 300'000},
      {"500ms", 500},
      {"1h30m", 5'400'000},
      {"1d2h3m4s5ms", 93'784'005},
      {"1m1ms", 60'001},
      {"007s", 7000},
      {"9223372036854775807ms", kInt64Max},
      {"9223372036854775", 9223372036854775000},
  };
  for (const auto& [text, duration_ms] : cases) {
    auto parsed = ParseDurationMs(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, duration_ms) << text;
  }
}

TEST(DurationTest, RejectsGarbageAndOverflow) {
  for (std::string_view text : {
           "",
           " ",
           "s",
           "ms",
           "1 s",
           " 1s",
           "1s ",
           "-1",
           "-1s",
           "+1s",
           "1.5h",
           "1e3",
           "0x10",
           "1h30",
           "30m1h",
           "1h1h",
           "1ms1s",
           "1S",
           "1w",
           "1y",
           "1sm",
           "1mss",
           "1h-1m",
           "1,000",
           "9223372036854775808ms",
           "9223372036854776",
           "106751991168d",
           "106751991167d7h12m56s",
           "99999999999999999999999s",
           "NaN",
           "forever",
       }) {
    auto parsed = ParseDurationMs(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.status().code(), Code::kInvalidArgument);
  }
  EXPECT_FALSE(ParseDurationMs(std::string_view("1s\0", 3)).ok());
  EXPECT_FALSE(ParseDurationMs("\xFF").ok());
}

}  // namespace
}  // namespace lapse::ttl
