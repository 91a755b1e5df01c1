#include "base/calendar.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace lapse {
namespace {

constexpr int64_t kYear1_s = -62135596800, kYear10000_s = 253402300800;

TEST(CalendarTest, WritesRfc1123) {
  EXPECT_EQ(Rfc1123Date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(Rfc1123Date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(Rfc1123Date(951782400), "Tue, 29 Feb 2000 00:00:00 GMT");
  EXPECT_EQ(Rfc1123Date(4102444799), "Thu, 31 Dec 2099 23:59:59 GMT");
  EXPECT_EQ(Rfc1123Date(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
  EXPECT_EQ(Rfc1123Date(kYear1_s), "Mon, 01 Jan 0001 00:00:00 GMT");
  EXPECT_EQ(Rfc1123Date(kYear10000_s - 1), "Fri, 31 Dec 9999 23:59:59 GMT");
}

TEST(CalendarTest, ReadsRfc1123) {
  int64_t ms = 0;
  ASSERT_TRUE(ParseRfc1123("Sun, 06 Nov 1994 08:49:37 GMT", &ms));
  EXPECT_EQ(ms, 784'111'777'000);
  ASSERT_TRUE(ParseRfc1123("sUN, 06 nOV 1994 08:49:37 gmt", &ms)) << "the case does not matter";
  EXPECT_EQ(ms, 784'111'777'000);
  ASSERT_TRUE(ParseRfc1123("Sun, 06 Nov 1994 08:49:37 UTC", &ms)) << "the other name of the zone";
  EXPECT_EQ(ms, 784'111'777'000);
  ASSERT_TRUE(ParseRfc1123("Thu, 29 Feb 2024 23:59:59 GMT", &ms));
  EXPECT_EQ(ms, 1'709'251'199'000);
}

TEST(CalendarTest, ReadsNothingElse) {
  for (std::string_view text : {"",
                                "Fri, 2 Jan 2026 03:04:05 GMT",
                                "Fri, 02 Jan 2026 03:04:05 EST",
                                "Fri, 02 Jan 2026 03:04:05 GMT ",
                                "Thu, 02 Jan 2026 03:04:05 GMT",
                                "Fry, 02 Jan 2026 03:04:05 GMT",
                                "Fri, 02 Jam 2026 03:04:05 GMT",
                                "Fri, 0x Jan 2026 03:04:05 GMT",
                                "Fri, -2 Jan 2026 03:04:05 GMT",
                                "Fri, 02 Jan 2026 24:04:05 GMT",
                                "Fri, 02 Jan 2026 03:60:05 GMT",
                                "Fri, 02 Jan 2026 03:04:60 GMT",
                                "Fri, 02 Jan 2026 03:04: 5 GMT",
                                "Fri, 02-Jan-2026 03:04:05 GMT",
                                "Fri, 02 Jan 2026 03.04.05 GMT",
                                "Wed, 00 Dec 2025 00:00:00 GMT",
                                "Wed, 29 Feb 2023 00:00:00 GMT",
                                "Thu, 29 Feb 1900 00:00:00 GMT",
                                "Fri, 31 Apr 2026 00:00:00 GMT",
                                "Sat, 01 Jan 0000 00:00:00 GMT"}) {
    int64_t ms = 0;
    EXPECT_FALSE(ParseRfc1123(text, &ms)) << text;
  }
}

TEST(CalendarTest, WhatIsWrittenAsRfc1123IsReadBack) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int64_t> any_time(kYear1_s, kYear10000_s - 1);
  for (int i = 0; i < 10'000; ++i) {
    const int64_t unix_s = any_time(random);
    int64_t ms = 0;
    ASSERT_TRUE(ParseRfc1123(Rfc1123Date(unix_s), &ms)) << unix_s;
    EXPECT_EQ(ms, unix_s * 1000);
  }
}

TEST(CalendarTest, WritesIso8601) {
  EXPECT_EQ(Iso8601Date(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(Iso8601Date(1), "1970-01-01T00:00:00.001Z");
  EXPECT_EQ(Iso8601Date(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(Iso8601Date(784'111'777'120), "1994-11-06T08:49:37.120Z");
  EXPECT_EQ(Iso8601Date(1'709'208'000'000), "2024-02-29T12:00:00Z");
  EXPECT_EQ(Iso8601Date(kYear10000_s * 1000 - 1), "9999-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace lapse
