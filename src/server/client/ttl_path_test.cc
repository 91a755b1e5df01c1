#include "server/client/ttl_path.h"

#include <gtest/gtest.h>

namespace lapse::server::client {
namespace {

TEST(TtlPathTest, NamesAreEncoded) {
  EXPECT_EQ(*TtlPath("app", "sessions", ""), "/_lapse/ttl/app/sessions");
  EXPECT_EQ(*TtlPath("a b", "c%\r\nä&", ""), "/_lapse/ttl/a%20b/c%25%0D%0A%C3%A4%26");
  EXPECT_FALSE(TtlPath("", "c", "").ok());
  EXPECT_FALSE(TtlPath("d", "", "").ok());
}

TEST(TtlPathTest, AWhatIfIsSecondsOrADuration) {
  EXPECT_EQ(*TtlPath("d", "c", "60"), "/_lapse/ttl/d/c?defaultTtl=60");
  EXPECT_EQ(*TtlPath("d", "c", "30d"), "/_lapse/ttl/d/c?defaultTtl=2592000");
  EXPECT_EQ(*TtlPath("d", "c", "-1"), "/_lapse/ttl/d/c?defaultTtl=-1");
  EXPECT_EQ(*TtlPath("d", "c", "off"), "/_lapse/ttl/d/c?defaultTtl=off");
  for (const char* bad : {"0", "-2", "1.5", "500ms", "soon", "2147483648", "1&x=1", "null"}) {
    EXPECT_EQ(TtlPath("d", "c", bad).status().code(), Code::kInvalidArgument) << bad;
  }
}

TEST(TtlPathTest, AHorizonStandsBesideAWhatIf) {
  EXPECT_EQ(*TtlPath("d", "c", "", "hour"), "/_lapse/ttl/d/c?forecast=hour");
  EXPECT_EQ(*TtlPath("d", "c", "off", "day"), "/_lapse/ttl/d/c?defaultTtl=off&forecast=day");
}

TEST(StatsPathTest, APageIsNamedByTheOneBefore) {
  EXPECT_EQ(StatsPath(), "/_lapse/stats");
  EXPECT_EQ(StatsPath("a b/c&"), "/_lapse/stats?after=a%20b%2Fc%26");
}

}  // namespace
}  // namespace lapse::server::client
