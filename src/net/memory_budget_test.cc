#include "net/memory_budget.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "net/test_sizes.h"

namespace lapse::net {
namespace {

TEST(MemoryBudgetTest, SharesTogetherStayWithinIt) {
  auto budget = std::make_shared<MemoryBudget>(10 * kMb);
  MemoryShare first(budget);
  MemoryShare second(budget);
  EXPECT_TRUE(first.TryFit(6 * kMb));
  EXPECT_TRUE(second.TryFit(4 * kMb));
  EXPECT_EQ(budget->held(), 10 * kMb);
  EXPECT_FALSE(second.TryFit(4 * kMb + 1));
  EXPECT_EQ(budget->held(), 10 * kMb) << "a refusal changes nothing";
  EXPECT_TRUE(first.TryFit(5 * kMb));
  EXPECT_TRUE(second.TryFit(5 * kMb));
}

TEST(MemoryBudgetTest, WhatIsThereAlreadyCountsBeyondTheLimit) {
  auto budget = std::make_shared<MemoryBudget>(kMb);
  MemoryShare answer(budget);
  answer.Fit(3 * kMb);
  EXPECT_EQ(budget->held(), 3 * kMb);
  MemoryShare request(budget);
  EXPECT_FALSE(request.TryFit(kMb));
  answer.Fit(0);
  EXPECT_TRUE(request.TryFit(kMb));
}

TEST(MemoryBudgetTest, SmallBuffersAreFree) {
  auto budget = std::make_shared<MemoryBudget>(0);
  MemoryShare share(budget);
  EXPECT_TRUE(share.TryFit(MemoryShare::kFreeBytes));
  EXPECT_FALSE(share.TryFit(MemoryShare::kFreeBytes + 1));
  EXPECT_EQ(budget->held(), 0u);
}

TEST(MemoryBudgetTest, AShareThatGoesGivesBack) {
  auto budget = std::make_shared<MemoryBudget>(kMb);
  { MemoryShare(budget).Fit(kMb); }
  EXPECT_EQ(budget->held(), 0u);
}

TEST(MemoryBudgetTest, CalmComesOnceAfterABurst) {
  auto budget = std::make_shared<MemoryBudget>(1000 * kMb);
  MemoryShare share(budget);
  share.Fit(kMb);
  share.Fit(0);
  EXPECT_FALSE(budget->TakeCalm()) << "too little to be a burst";
  share.Fit(100 * kMb);
  EXPECT_FALSE(budget->TakeCalm()) << "still going on";
  share.Fit(20 * kMb);
  EXPECT_TRUE(budget->TakeCalm());
  EXPECT_FALSE(budget->TakeCalm());
  share.Fit(100 * kMb);
  share.Fit(0);
  EXPECT_TRUE(budget->TakeCalm()) << "the next burst";
}

TEST(MemoryBudgetTest, ThreadsNeverGetMoreThanThereIs) {
  constexpr int kThreads = 4;
  auto budget = std::make_shared<MemoryBudget>(3 * kMb);
  std::atomic<int> inside{0};
  std::atomic<bool> exceeded{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      MemoryShare share(budget);
      for (int round = 0; round < 10'000; ++round) {
        if (!share.TryFit(kMb)) continue;
        if (inside.fetch_add(1) >= 3) exceeded = true;
        inside.fetch_sub(1);
        share.TryFit(0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(exceeded);
  EXPECT_EQ(budget->held(), 0u);
}

}  // namespace
}  // namespace lapse::net
