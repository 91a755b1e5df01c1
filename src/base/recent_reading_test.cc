#include "base/recent_reading.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace lapse {
namespace {

// Keeps the work until a test runs it, like a hung disk.
class HangingExecutor final : public Executor {
 public:
  void Run(std::function<void()> work) override { held_.push_back(std::move(work)); }
  size_t held() const { return held_.size(); }
  void Release() {
    std::vector<std::function<void()>> released = std::exchange(held_, {});
    for (auto& work : released) work();
  }

 private:
  std::vector<std::function<void()>> held_;
};

TEST(RecentReadingTest, EachQuestionIsReadAnew) {
  InlineExecutor executor;
  ManualSteadyClock steady;
  int world = 1;
  RecentReading<int> reading([&] { return world; }, {.executor = &executor, .steady = &steady});
  EXPECT_EQ(*reading.Get().value, 1);
  world = 2;
  auto latest = reading.Get();
  EXPECT_EQ(*latest.value, 2);
  EXPECT_EQ(latest.age_ms, 0);
  EXPECT_EQ(latest.waiting_ms, 0);
}

TEST(RecentReadingTest, AReadingThatHangsIsNotWaitedFor) {
  HangingExecutor executor;
  ManualSteadyClock steady;
  int world = 1;
  RecentReading<int> reading([&] { return world; }, {.executor = &executor, .steady = &steady, .patience_ms = 0});
  EXPECT_EQ(reading.Get().value, nullptr);
  executor.Release();

  steady.AdvanceMs(1000);
  world = 2;
  auto stale = reading.Get();
  EXPECT_EQ(*stale.value, 1);
  EXPECT_EQ(stale.age_ms, 1000);
  steady.AdvanceMs(5000);
  stale = reading.Get();
  EXPECT_EQ(*stale.value, 1);
  EXPECT_EQ(stale.age_ms, 6000);
  EXPECT_EQ(stale.waiting_ms, 5000);
  EXPECT_EQ(executor.held(), 1U) << "one reading at a time";

  executor.Release();
  EXPECT_EQ(*reading.Get().value, 2);
}

TEST(RecentReadingTest, AReadingOnAnotherThreadIsWaitedFor) {
  std::promise<int> world;
  auto pool = std::make_unique<ThreadPool>("test", 1);
  RecentReading<int> reading([&] { return world.get_future().get(); }, {.executor = pool.get(), .patience_ms = 60'000});
  std::thread answer([&] { world.set_value(7); });
  EXPECT_EQ(*reading.Get().value, 7);
  answer.join();
  pool.reset();
}

}  // namespace
}  // namespace lapse
