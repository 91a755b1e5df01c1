#include "base/thread_priority.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

namespace lapse {
namespace {

int OwnNiceness() {
  return getpriority(PRIO_PROCESS, 0);
}

TEST(ThreadPriorityTest, LowersTheCallingThreadAlone) {
  const int before = OwnNiceness();
  int lowered = 0;
  std::thread([&] {
    YieldToRequests();
    YieldToRequests();
    lowered = OwnNiceness();
  }).join();
  EXPECT_EQ(lowered, std::max(before, 10));
  EXPECT_EQ(OwnNiceness(), before);
}

}  // namespace
}  // namespace lapse
