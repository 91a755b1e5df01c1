#include "query/exec/scheduling/parallel_tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "base/test_helpers.h"
#include "base/turn_pool.h"

namespace lapse::query::exec {
namespace {

class ParallelTasksTest : public testing::Test {
 protected:
  // Returns which thread ran each task: `m` for the caller, `w` for the work function. Calls `after_first` once the
  // first task was claimed.
  std::string Do(size_t count, Helpers* helpers, const ParallelTasks::Work& work,
                 const std::function<void()>& after_first = {}) {
    std::vector<std::atomic<int>> times(count);
    std::string who;
    {
      ParallelTasks tasks(count, helpers, watch_, [&](size_t task, const PageWatch& watch) {
        ++times[task];
        return work(task, watch);
      });
      for (size_t i = 0; i < count; ++i) {
        const bool mine = tasks.Claim(i);
        EXPECT_EQ(times[i], mine ? 0 : 1) << i;
        who += mine ? 'm' : 'w';
        if (i == 0 && after_first) after_first();
      }
    }
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(times[i], who[i] == 'w' ? 1 : 0) << i;
    return who;
  }

  static bool GoOn(size_t, const PageWatch&) { return true; }

  const PageWatch watch_{{}, {}};
  TestHelpers helpers_;
};

TEST_F(ParallelTasksTest, WithoutHelpersAllAreMine) {
  EXPECT_EQ(Do(4, nullptr, GoOn), "mmmm");
  helpers_.set_busy(true);
  EXPECT_EQ(Do(4, &helpers_, GoOn), "mmmm");
  EXPECT_EQ(helpers_.asked(), 3) << "each time that some are left for others";
  EXPECT_EQ(Do(0, &helpers_, GoOn), "");
}

TEST_F(ParallelTasksTest, HelpersDoWhatIsLeft) {
  EXPECT_EQ(Do(4, &helpers_, GoOn), "mwww");
  EXPECT_EQ(Do(1, &helpers_, GoOn), "m");
}

TEST_F(ParallelTasksTest, AfterOneThatDidNotGoWellTheOthersAreMine) {
  EXPECT_EQ(Do(5, &helpers_, [](size_t task, const PageWatch&) { return task != 2; }), "mwwmm");
}

TEST_F(ParallelTasksTest, WhoAsksDoesOthersInsteadOfWaiting) {
  ManualSteadyClock steady;
  TurnPool pool("test", 2, 4, steady);
  std::promise<std::string> done;
  pool.Run([&](TurnPool::Turn& turn) {
    const std::thread::id own = std::this_thread::get_id();
    std::promise<void> begun;
    std::promise<void> others;
    // The helper takes the second task and waits until all others are done.
    const auto work = [&](size_t task, const PageWatch&) {
      EXPECT_EQ(std::this_thread::get_id() == own, task != 1);
      if (task == 1) {
        begun.set_value();
        others.get_future().wait();
      }
      if (task == 3) others.set_value();
      return true;
    };
    done.set_value(Do(4, &turn, work, [&] { begun.get_future().wait(); }));
  });
  EXPECT_EQ(done.get_future().get(), "mwww");
}

// The helper is told to stop.
TEST_F(ParallelTasksTest, WhoLeavesWaitsForHelpers) {
  ManualSteadyClock steady;
  std::atomic<bool> ended = false;
  {
    TurnPool pool("test", 2, 4, steady);
    pool.Run([&](TurnPool::Turn& turn) {
      std::promise<void> begun;
      ParallelTasks tasks(2, &turn, watch_, [&](size_t, const PageWatch& watch) {
        begun.set_value();
        while (watch.Look().ok()) std::this_thread::yield();
        ended = true;
        return true;
      });
      EXPECT_TRUE(tasks.Claim(0));
      begun.get_future().wait();
    });
  }
  EXPECT_TRUE(ended);
}

TEST_F(ParallelTasksTest, AHelperSeesThatThePageIsAbandoned) {
  ManualSteadyClock steady;
  std::atomic<bool> gone = false;
  const PageWatch watch([&] { return gone.load(); }, {});
  TurnPool pool("test", 2, 4, steady);
  std::promise<bool> mine;
  pool.Run([&](TurnPool::Turn& turn) {
    std::promise<void> begun;
    ParallelTasks tasks(2, &turn, watch, [&](size_t, const PageWatch& of_helper) {
      begun.set_value();
      while (of_helper.Look().ok()) std::this_thread::yield();
      return false;
    });
    EXPECT_TRUE(tasks.Claim(0));
    begun.get_future().wait();
    gone = true;
    mine.set_value(tasks.Claim(1));
  });
  EXPECT_FALSE(mine.get_future().get());
}

}  // namespace
}  // namespace lapse::query::exec
