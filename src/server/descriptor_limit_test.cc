#include "server/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace lapse::server {
namespace {

rlimit Limit() {
  rlimit limit{};
  EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  return limit;
}

TEST(DescriptorLimitTest, GoesUpToTheHardLimit) {
  const rlimit before = Limit();
  rlimit low = before;
  low.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  RaiseDescriptorLimit();
  EXPECT_EQ(Limit().rlim_cur, before.rlim_max);
  EXPECT_EQ(Limit().rlim_max, before.rlim_max);
  RaiseDescriptorLimit();
  EXPECT_EQ(Limit().rlim_cur, before.rlim_max);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace lapse::server
