#include "base/executor.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace lapse {
namespace {

TEST(InlineExecutorTest, RunsBeforeReturning) {
  InlineExecutor executor;
  std::thread::id ran_on;
  executor.Run([&ran_on] { ran_on = std::this_thread::get_id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST(ThreadPoolTest, RunsOnItsOwnThreads) {
  std::thread::id ran_on;
  {
    ThreadPool pool("test", 1);
    pool.Run([&ran_on] { ran_on = std::this_thread::get_id(); });
  }
  EXPECT_NE(ran_on, std::thread::id());
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST(ThreadPoolTest, ThreadsOfLowPriorityComeAfterOthers) {
  int ordinary = 0;
  int low = 0;
  const auto own_nice = [](int* nice) { *nice = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); };
  {
    ThreadPool first("test", 1);
    ThreadPool second("test", 1, ThreadPriority::kLow);
    first.Run([&] { own_nice(&ordinary); });
    second.Run([&] { own_nice(&low); });
  }
  EXPECT_EQ(ordinary, getpriority(PRIO_PROCESS, 0));
  EXPECT_EQ(low, std::min(ordinary + 5, 19));
}

TEST(ThreadPoolTest, OneThreadKeepsTheOrder) {
  std::vector<int> order;
  {
    ThreadPool pool("test", 1);
    for (int i = 0; i < 100; ++i) pool.Run([&order, i] { order.push_back(i); });
  }
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

// Both tasks wait for each other, so this ends only if two threads run at the same time.
TEST(ThreadPoolTest, WorksAtTheSameTime) {
  std::latch both(2);
  ThreadPool pool("test", 2);
  for (int i = 0; i < 2; ++i) pool.Run([&both] { both.arrive_and_wait(); });
  both.wait();
}

TEST(ThreadPoolTest, DestructorRunsWhatIsQueued) {
  std::atomic<int> done{0};
  {
    std::latch queued(1);
    ThreadPool pool("test", 2);
    for (int i = 0; i < 2; ++i) pool.Run([&queued] { queued.wait(); });
    for (int i = 0; i < 50; ++i) pool.Run([&done] { ++done; });
    EXPECT_EQ(done, 0);
    queued.count_down();
  }
  EXPECT_EQ(done, 50);
}

TEST(ThreadPoolTest, WorkMayQueueMoreWork) {
  std::latch done(1);
  ThreadPool pool("test", 1);
  pool.Run([&] { pool.Run([&done] { done.count_down(); }); });
  done.wait();
}

TEST(ThreadPoolTest, ReleasesWhatTheWorkCaptured) {
  auto captured = std::make_shared<int>(1);
  std::weak_ptr<int> watch = captured;
  {
    ThreadPool pool("test", 1);
    pool.Run([captured = std::move(captured)] {});
  }
  EXPECT_TRUE(watch.expired());
}

// The kernel rejects a name that is too long, and tools that list threads would then show the program's name.
TEST(ThreadPoolTest, AThreadBearsAsMuchOfTheNameAsTheKernelKeeps) {
  for (const auto& [given, kept] :
       {std::pair("short", "short"), std::pair("a name far longer than the kernel keeps", "a name far long")}) {
    char name[64] = {};
    {
      ThreadPool pool(given, 1);
      // The pool names its threads in its constructor, before this work is queued.
      pool.Run([&name] { pthread_getname_np(pthread_self(), name, sizeof(name)); });
    }
    EXPECT_STREQ(name, kept);
  }
}

}  // namespace
}  // namespace lapse
