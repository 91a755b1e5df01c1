#include "base/fail_point.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace lapse {
namespace {

constinit FailPoint first_point("test.first");
constinit FailPoint second_point("test.second");

Status DiskFull() {
  return {Code::kNoSpace, "disk full"};
}

TEST(FailPointTest, PassesWhileNotArmed) {
  EXPECT_TRUE(first_point.Check().ok());
}

TEST(FailPointTest, FailsAsOftenAsArmed) {
  FailPoint::Arm("test.first", 2, DiskFull);
  EXPECT_EQ(first_point.Check().code(), Code::kNoSpace);
  EXPECT_EQ(first_point.Check().message(), "disk full");
  EXPECT_TRUE(first_point.Check().ok());
  EXPECT_EQ(FailPoint::Disarm("test.first"), 2);
}

TEST(FailPointTest, AlwaysMeansUntilDisarmed) {
  FailPoint::Arm("test.first", FailPoint::kAlways, DiskFull);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(first_point.Check().ok());
  EXPECT_EQ(FailPoint::Disarm("test.first"), 10);
  EXPECT_TRUE(first_point.Check().ok());
}

TEST(FailPointTest, OthersAreNotTouched) {
  ScopedFailPoint fail("test.first", FailPoint::kAlways, DiskFull);
  EXPECT_TRUE(second_point.Check().ok());
}

TEST(FailPointTest, ActionMayLetTheCheckPass) {
  int seen = 0;
  {
    ScopedFailPoint watch("test.first", FailPoint::kAlways, [&seen] { return ++seen < 3 ? Status() : DiskFull(); });
    EXPECT_TRUE(first_point.Check().ok());
    EXPECT_TRUE(first_point.Check().ok());
    EXPECT_FALSE(first_point.Check().ok());
  }
  EXPECT_TRUE(first_point.Check().ok());
  EXPECT_EQ(seen, 3);
}

TEST(FailPointTest, ArmingAgainReplaces) {
  FailPoint::Arm("test.first", 1, DiskFull);
  FailPoint::Arm("test.first", 1, [] { return Status(Code::kCorruption, "torn"); });
  EXPECT_EQ(first_point.Check().code(), Code::kCorruption);
  EXPECT_TRUE(first_point.Check().ok());
  EXPECT_EQ(FailPoint::Disarm("test.first"), 1);
}

TEST(FailPointTest, DisarmingWhatIsNotArmedCountsNothing) {
  EXPECT_EQ(FailPoint::Disarm("test.misspelt"), 0);
}

TEST(FailPointTest, AnActionMayDisarmItsOwnName) {
  FailPoint::Arm("test.first", FailPoint::kAlways, [] {
    FailPoint::Disarm("test.first");
    return DiskFull();
  });
  EXPECT_FALSE(first_point.Check().ok());
  EXPECT_TRUE(first_point.Check().ok());
}

TEST(FailPointTest, CountIsExactAcrossThreads) {
  FailPoint::Arm("test.first", 100, DiskFull);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&failures] {
      for (int j = 0; j < 100; ++j) failures += first_point.Check().ok() ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 100);
  EXPECT_EQ(FailPoint::Disarm("test.first"), 100);
}

}  // namespace
}  // namespace lapse
