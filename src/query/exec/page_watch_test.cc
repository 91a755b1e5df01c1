#include "query/exec/page_watch.h"

#include <gtest/gtest.h>

namespace lapse::query::exec {
namespace {

TEST(PageWatchTest, APageThatComesToNoEndIsEnded) {
  ManualSteadyClock clock;
  const PageWatch watch({}, {}, clock);
  clock.AdvanceMs(59'999);
  EXPECT_TRUE(watch.Look().ok());
  clock.AdvanceMs(1);
  EXPECT_EQ(watch.Look().code(), Code::kTooLarge);
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
