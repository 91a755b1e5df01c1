#include "server/client/human.h"

#include <gtest/gtest.h>

#include <limits>

namespace lapse::server::client {
namespace {

TEST(HumanTest, NumbersAreGrouped) {
  EXPECT_EQ(FormatNumber(0), "0");
  EXPECT_EQ(FormatNumber(999), "999");
  EXPECT_EQ(FormatNumber(1000), "1,000");
  EXPECT_EQ(FormatNumber(12'345'678), "12,345,678");
  EXPECT_EQ(FormatNumber(-123), "-123");
  EXPECT_EQ(FormatNumber(-1234), "-1,234");
}

TEST(HumanTest, SizesHaveAUnit) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1024), "1.0 KiB");
  EXPECT_EQ(FormatBytes(1024 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(FormatBytes(3LL << 30), "3.0 GiB");
  EXPECT_EQ(FormatBytes(std::numeric_limits<int64_t>::max()), "8.0 EiB");
}

TEST(HumanTest, SecondsAreWrittenAsDurations) {
  EXPECT_EQ(FormatSeconds(0), "0s");
  EXPECT_EQ(FormatSeconds(59), "59s");
  EXPECT_EQ(FormatSeconds(5400), "1h30m");
  EXPECT_EQ(FormatSeconds(30 * 86'400), "30d");
  EXPECT_EQ(FormatSeconds(2'147'483'647), "24855d3h14m7s");
}

TEST(HumanTest, TimesAreUtc) {
  EXPECT_EQ(FormatTime(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(1'750'000'000), "2025-06-15T15:06:40Z");
}

TEST(HumanTest, DefaultsAndUnits) {
  EXPECT_EQ(FormatDefaultTtl(std::nullopt), "off");
  EXPECT_EQ(FormatDefaultTtl(-1), "-1");
  EXPECT_EQ(FormatDefaultTtl(3600), "1h");
  EXPECT_EQ(FormatUnits(0.02), "0.02");
  EXPECT_EQ(FormatUnits(1234), "1234.00");
}

TEST(HumanTest, NothingSteersTheTerminal) {
  EXPECT_EQ(Printable("plain ä €"), "plain ä €");
  EXPECT_EQ(Printable("\x1b[2Ja\nb\x7f"), "?[2Ja?b?");
  EXPECT_EQ(Printable("a\xC2\x9B"
                      "b"),
            "a?b");
  EXPECT_EQ(Printable("\xC2\xA0"), "\xC2\xA0");
  EXPECT_EQ(Columns("ä€x"), 3u);
}

}  // namespace
}  // namespace lapse::server::client
