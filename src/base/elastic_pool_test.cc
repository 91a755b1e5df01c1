#include "base/elastic_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <thread>
#include <vector>

namespace lapse {
namespace {

// All tasks wait for each other: with fewer threads than tasks this would deadlock.
TEST(ElasticPoolTest, WorkThatWaitsHoldsUpNoOther) {
  constexpr int kWaiting = 20;
  ElasticPool pool("test", kWaiting);
  std::promise<void> all_there;
  std::shared_future<void> there = all_there.get_future().share();
  std::atomic<int> arrived{0};
  std::vector<std::future<void>> done;
  for (int i = 0; i < kWaiting; ++i) {
    auto finished = std::make_shared<std::promise<void>>();
    done.push_back(finished->get_future());
    pool.Run([&, finished] {
      if (++arrived == kWaiting) all_there.set_value();
      there.wait();
      finished->set_value();
    });
  }
  for (std::future<void>& one : done) one.get();
  EXPECT_EQ(arrived.load(), kWaiting);
  EXPECT_LE(pool.threads(), static_cast<size_t>(kWaiting));
}

TEST(ElasticPoolTest, WhatComesNextIsRunByTheSameThread) {
  std::vector<std::thread::id> threads;
  std::promise<void> done;
  {
    ElasticPool pool("test", 4);
    std::function<void()> step = [&] {
      threads.push_back(std::this_thread::get_id());
      if (threads.size() == 100) return done.set_value();
      pool.RunNext(step);
    };
    pool.RunNext(step);  // outside the pool, same as Run
    done.get_future().get();
  }
  EXPECT_EQ(threads, std::vector(100, threads.front()));
  EXPECT_NE(threads.front(), std::this_thread::get_id());
}

TEST(ElasticPoolTest, OfTwoThatComeNextNoneIsLost) {
  std::atomic<int> run{0};
  {
    ElasticPool pool("test", 4);
    pool.Run([&] {
      pool.RunNext([&] { ++run; });
      pool.RunNext([&] { ++run; });
    });
  }
  EXPECT_EQ(run.load(), 2);
}

TEST(ElasticPoolTest, HasNoMoreThreadsThanItMay) {
  ElasticPool pool("test", 3);
  std::atomic<int> at_once{0};
  std::atomic<int> most{0};
  std::vector<std::future<void>> done;
  for (int i = 0; i < 200; ++i) {
    auto finished = std::make_shared<std::promise<void>>();
    done.push_back(finished->get_future());
    pool.Run([&, finished] {
      const int now = ++at_once;
      int seen = most.load();
      while (seen < now && !most.compare_exchange_weak(seen, now)) continue;
      --at_once;
      finished->set_value();
    });
  }
  for (std::future<void>& one : done) one.get();
  EXPECT_LE(most.load(), 3);
  EXPECT_LE(pool.threads(), 3U);
}

TEST(ElasticPoolTest, TheEndRunsWhatIsQueued) {
  std::atomic<int> ran{0};
  {
    ElasticPool pool("test", 2);
    for (int i = 0; i < 100; ++i) pool.Run([&] { ++ran; });
  }
  EXPECT_EQ(ran.load(), 100);
}

}  // namespace
}  // namespace lapse
