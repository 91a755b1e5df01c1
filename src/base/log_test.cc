#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

namespace lapse {
namespace {

using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

std::string Captured(const std::function<void()>& log) {
  CaptureStderr();
  log();
  return GetCapturedStderr();
}

// Returns what is logged after the event for one field with this value.
std::string LoggedValue(std::string_view value) {
  std::string line = Captured([value] { Log(LogLevel::kInfo, "event", {{"key", value}}); });
  size_t at = line.find("event key=");
  if (at == std::string::npos || line.back() != '\n') return "not one line: " + line;
  line.pop_back();
  return line.substr(at + 10);
}

class LogTest : public testing::Test {
 protected:
  void TearDown() override { SetLogLevel(LogLevel::kInfo); }
};

TEST_F(LogTest, WritesOneLineWithTimeLevelEventAndFields) {
  std::string line = Captured([] {
    Log(LogLevel::kWarn, "opened", {{"path", "/data"}, {"shards", 4}, {"bytes", uint64_t{1} << 63}, {"fresh", true}});
  });
  EXPECT_THAT(line, testing::MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9]+\\.[0-9]+Z warning "
                                          "opened path=/data shards=4 bytes=9223372036854775808 fresh=true\n"));
}

TEST_F(LogTest, LeavesPlainValuesBare) {
  EXPECT_EQ(LoggedValue("plain"), "plain");
  EXPECT_EQ(LoggedValue("a/b-c_d.e:1"), "a/b-c_d.e:1");
  EXPECT_EQ(LoggedValue("\xC3\xA9"), "\xC3\xA9");
}

TEST_F(LogTest, QuotesWhatCouldBeMisread) {
  EXPECT_EQ(LoggedValue(""), "\"\"");
  EXPECT_EQ(LoggedValue("two words"), "\"two words\"");
  EXPECT_EQ(LoggedValue("a=b"), "\"a=b\"");
  EXPECT_EQ(LoggedValue("say \"hi\" \\o/"), R"("say \"hi\" \\o/")");
}

TEST_F(LogTest, ControlCharactersCannotForgeALine) {
  EXPECT_EQ(LoggedValue("a\nerror forged\r\x1B[0m\x7F"), R"("a\x0aerror forged\x0d\x1b[0m\x7f")");
  EXPECT_EQ(LoggedValue(std::string_view("\0", 1)), R"("\x00")");
}

TEST_F(LogTest, BracesAreNotAFormat) {
  EXPECT_EQ(LoggedValue("{}{0}{:d}"), "{}{0}{:d}");
}

TEST_F(LogTest, LevelDecidesWhatIsWritten) {
  SetLogLevel(LogLevel::kWarn);
  EXPECT_EQ(Captured([] { Log(LogLevel::kInfo, "quiet"); }), "");
  EXPECT_THAT(Captured([] { Log(LogLevel::kError, "loud"); }), HasSubstr("error loud\n"));
  SetLogLevel(LogLevel::kOff);
  EXPECT_EQ(Captured([] { Log(LogLevel::kError, "quiet"); }), "");
}

TEST_F(LogTest, ParsesItsLevels) {
  LogLevel level = LogLevel::kOff;
  EXPECT_TRUE(ParseLogLevel("debug", &level));
  EXPECT_EQ(level, LogLevel::kDebug);
  EXPECT_TRUE(ParseLogLevel("error", &level));
  EXPECT_EQ(level, LogLevel::kError);
  EXPECT_FALSE(ParseLogLevel("Error", &level));
  EXPECT_FALSE(ParseLogLevel("", &level));
  EXPECT_EQ(level, LogLevel::kError) << "a refused text changes nothing";
}

}  // namespace
}  // namespace lapse
