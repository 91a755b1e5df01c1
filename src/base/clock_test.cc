#include "base/clock.h"

#include <gtest/gtest.h>

namespace lapse {
namespace {

TEST(ManualWallClockTest, StandsStillUntilMoved) {
  ManualWallClock clock(1000);
  EXPECT_EQ(clock.NowMs(), 1000);
  EXPECT_EQ(clock.NowMs(), 1000);
  clock.Advance(5);
  EXPECT_EQ(clock.NowMs(), 1005);
  clock.Set(10);
  EXPECT_EQ(clock.NowMs(), 10) << "a calendar may step back";
}

TEST(ManualSteadyClockTest, AdvancesInNanoseconds) {
  ManualSteadyClock clock;
  EXPECT_EQ(clock.NowNs(), 0);
  clock.AdvanceMs(3);
  EXPECT_EQ(clock.NowNs(), 3'000'000);
}

TEST(RealWallClockTest, CountsMillisecondsSince1970) {
  constexpr int64_t kStartOf2020Ms = 1'577'836'800'000;
  constexpr int64_t kStartOf2200Ms = 7'258'118'400'000;
  EXPECT_GT(RealWallClock().NowMs(), kStartOf2020Ms);
  EXPECT_LT(RealWallClock().NowMs(), kStartOf2200Ms);
}

TEST(RealSteadyClockTest, NeverStepsBack) {
  int64_t last = RealSteadyClock().NowNs();
  for (int i = 0; i < 1000; ++i) {
    int64_t now = RealSteadyClock().NowNs();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace lapse
