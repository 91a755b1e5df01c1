#include "query/exec/scheduling/page_watch.h"

#include <gtest/gtest.h>

namespace lapse::query::exec {
namespace {

TEST(PageWatchTest, APageThatComesToNoEndIsEnded) {
  ManualSteadyClock clock;
  const PageWatch watch({}, {}, clock);
  clock.AdvanceMs(29'999);
  EXPECT_TRUE(watch.Look().ok());
  clock.AdvanceMs(1);
  EXPECT_EQ(watch.Look().code(), Code::kTooLarge);
}

TEST(PageWatchTest, TheTimeOfAnItemCountsFromTheLastOneOn) {
  ManualSteadyClock clock;
  const PageWatch watch({}, {}, clock);
  for (int i = 0; i < 3; ++i) {
    clock.AdvanceMs(29'000);
    watch.MoveOn();
    EXPECT_TRUE(watch.Look().ok());
  }
  clock.AdvanceMs(30'000);
  EXPECT_EQ(watch.Look().code(), Code::kTooLarge);
}

TEST(PageWatchTest, TimeInWhichOthersRunDoesNotCount) {
  ManualSteadyClock clock;
  PageWatch watch(
      {}, [&] { clock.AdvanceMs(5'000); }, clock);
  watch.set_time_ns(1'000'000'000);
  watch.Begin(clock);
  EXPECT_TRUE(watch.Look().ok());
  EXPECT_FALSE(watch.TimeIsUp());
  clock.AdvanceMs(500);
  EXPECT_TRUE(watch.HalfIsUp());
  EXPECT_FALSE(watch.TimeIsUp());
  clock.AdvanceMs(500);
  EXPECT_TRUE(watch.TimeIsUp()) << "it has worked for a second";
}

TEST(PageWatchTest, WhoWaitsForThePageDoesNotWaitForLong) {
  ManualSteadyClock clock;
  PageWatch watch(
      {}, [&] { clock.AdvanceMs(30'000); }, clock);
  watch.set_time_ns(1'000'000'000);
  watch.Begin(clock);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(watch.Look().ok()) << "waiting is not being stuck";
  EXPECT_TRUE(watch.TimeIsUp());
}

TEST(PageWatchTest, APageThatNobodyWaitsForIsEnded) {
  bool gone = false;
  const PageWatch watch([&] { return gone; }, {});
  EXPECT_TRUE(watch.Look().ok());
  gone = true;
  EXPECT_EQ(watch.Look().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace lapse::query::exec
