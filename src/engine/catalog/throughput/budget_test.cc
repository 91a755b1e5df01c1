#include "engine/catalog/throughput/budget.h"

#include <gtest/gtest.h>

namespace lapse::engine {
namespace {

constexpr int64_t kRate = 400'000;

class BudgetTest : public ::testing::Test {
 protected:
  ManualSteadyClock steady_;
  Budget budget_{steady_, kRate};
};

TEST_F(BudgetTest, ASecondRefillsAndKeepsNothingForUsers) {
  EXPECT_EQ(budget_.Admit(), 0);
  budget_.Charge(kRate - 1);
  EXPECT_EQ(budget_.Left(), 1);
  EXPECT_EQ(budget_.Admit(), 0);
  budget_.Charge(1);
  EXPECT_GT(budget_.Admit(), 0);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.Left(), kRate);
  steady_.AdvanceMs(10'000);
  EXPECT_EQ(budget_.Left(), kRate);
}

TEST_F(BudgetTest, TheWaitIsTrueToTheMillisecond) {
  steady_.AdvanceMs(300);
  budget_.Charge(kRate);
  const int64_t wait_ms = budget_.Admit();
  EXPECT_EQ(wait_ms, 700);
  steady_.AdvanceMs(wait_ms - 1);
  EXPECT_EQ(budget_.Admit(), 1);
  steady_.AdvanceMs(1);
  EXPECT_EQ(budget_.Admit(), 0);
}

TEST_F(BudgetTest, ADebtIsPaidByTheSecondsThatFollow) {
  budget_.Charge(kRate * 5 / 2);
  EXPECT_EQ(budget_.Left(), 0);
  EXPECT_EQ(budget_.Admit(), 2000);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.Admit(), 1000);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.Admit(), 0);
  EXPECT_EQ(budget_.Left(), kRate / 2);
}

TEST_F(BudgetTest, ADebtOfWholeSecondsLeavesNothingOfTheNext) {
  budget_.Charge(kRate * 2);
  EXPECT_EQ(budget_.Admit(), 2000);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.Admit(), 1000);
}

TEST_F(BudgetTest, WhatWasSpentUnderAHigherRateIsNoDebtUnderALowerOne) {
  budget_.SetRate(kRate * 50);
  budget_.Charge(kRate * 40);
  budget_.SetRate(kRate);
  EXPECT_EQ(budget_.Admit(), 1000) << "this second is used up";
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.Left(), kRate);
}

TEST_F(BudgetTest, LoweringAndRaisingGrantsNothingTwice) {
  budget_.SetRate(kRate * 2);
  budget_.Charge(kRate * 2);
  budget_.SetRate(kRate);
  budget_.SetRate(kRate * 2);
  EXPECT_EQ(budget_.Left(), 0);
  EXPECT_EQ(budget_.Admit(), 1000);
  budget_.SetRate(kRate * 3);
  EXPECT_EQ(budget_.Left(), kRate) << "only what was never granted";
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.Left(), kRate * 3);
}

TEST_F(BudgetTest, WhatIsSpentAfterLoweringIsADebt) {
  budget_.SetRate(kRate * 4);
  budget_.Charge(kRate / 2);
  budget_.SetRate(kRate);
  budget_.Charge(kRate);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.Left(), kRate / 2);
}

TEST_F(BudgetTest, ADebtOutlivesAChangeOfTheRate) {
  budget_.Charge(kRate * 3);
  budget_.SetRate(kRate * 2);
  EXPECT_EQ(budget_.Admit(), 1000) << "a debt of two old seconds is one of the new";
  budget_.SetRate(kRate / 2);
  EXPECT_GT(budget_.Admit(), 1000);
}

TEST_F(BudgetTest, WithoutALimitEverythingIsLetIn) {
  Budget unlimited(steady_, 0);
  EXPECT_FALSE(unlimited.limited());
  unlimited.Charge(1'000'000'000);
  EXPECT_EQ(unlimited.Admit(), 0);
}

TEST_F(BudgetTest, ANewRateCountsAtOnce) {
  budget_.Charge(kRate);
  EXPECT_GT(budget_.Admit(), 0);
  budget_.SetRate(2 * kRate);
  EXPECT_EQ(budget_.Admit(), 0);
  EXPECT_EQ(budget_.Left(), kRate);
  budget_.SetRate(0);
  EXPECT_FALSE(budget_.limited());
}

TEST_F(BudgetTest, OnlySecondsThatAreOverLeaveSomething) {
  EXPECT_EQ(budget_.LeftOver(0), 0);
  budget_.Charge(kRate - 1000);
  EXPECT_EQ(budget_.LeftOver(0), 0);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.LeftOver(0), 1000);
  budget_.SpendLeftOver(600);
  EXPECT_EQ(budget_.LeftOver(0), 400);
  EXPECT_EQ(budget_.Left(), kRate) << "users do not feel it";
}

TEST_F(BudgetTest, UsersWhoSpendEverythingLeaveNothing) {
  for (int second = 0; second < 10; ++second) {
    budget_.Charge(kRate);
    steady_.AdvanceMs(1000);
    EXPECT_EQ(budget_.LeftOver(0), 0);
  }
}

TEST_F(BudgetTest, ADebtIsPaidBeforeAnythingIsLeftOver) {
  budget_.Charge(2 * kRate + 1000);
  steady_.AdvanceMs(3000);
  EXPECT_EQ(budget_.LeftOver(0), kRate - 1000);
}

TEST_F(BudgetTest, NoMoreThanASecondIsKept) {
  steady_.AdvanceMs(100'000);
  EXPECT_EQ(budget_.LeftOver(0), kRate);
  steady_.AdvanceMs(100'000);
  EXPECT_EQ(budget_.LeftOver(0), kRate);
}

TEST_F(BudgetTest, WhatIsNotEnoughIsKeptUntilItIs) {
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.LeftOver(3 * kRate), kRate);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.LeftOver(3 * kRate), 2 * kRate);
  steady_.AdvanceMs(5000);
  EXPECT_EQ(budget_.LeftOver(3 * kRate), 3 * kRate);
}

class SharedPoolTest : public ::testing::Test {
 protected:
  ManualSteadyClock steady_;
  std::shared_ptr<RequestUnitPool> pool_ = std::make_shared<RequestUnitPool>(steady_, kRate);
  Budget a_{pool_};
  Budget b_{pool_};
};

TEST_F(SharedPoolTest, UsersSpendFromTheSamePurse) {
  a_.Charge(kRate);
  EXPECT_EQ(b_.Admit(), 1000);
  EXPECT_EQ(b_.Left(), 0);
}

TEST_F(SharedPoolTest, ClaimsTakeEqualParts) {
  int64_t a_spent = 0;
  int64_t b_spent = 0;
  for (int second = 0; second < 20; ++second) {
    steady_.AdvanceMs(1000);
    // Without equal parts, the first claim would take everything.
    const int64_t a_may = a_.LeftOver(0);
    a_.SpendLeftOver(a_may);
    a_spent += a_may;
    const int64_t b_may = b_.LeftOver(0);
    b_.SpendLeftOver(b_may);
    b_spent += b_may;
  }
  EXPECT_EQ(a_spent + b_spent, 20 * kRate) << "nothing is given twice and nothing is lost";
  EXPECT_NEAR(static_cast<double>(a_spent), static_cast<double>(b_spent), kRate);
}

TEST_F(SharedPoolTest, WhoIsAloneTakesEverything) {
  for (int second = 0; second < 5; ++second) {
    steady_.AdvanceMs(1000);
    EXPECT_EQ(a_.LeftOver(0), kRate);
    a_.SpendLeftOver(kRate);
    EXPECT_EQ(a_.LeftOver(0), 0);
  }
}

TEST_F(BudgetTest, LookingAtWhatIsLeftOverTakesNothing) {
  EXPECT_EQ(budget_.LeftOverNow(), 0);
  budget_.Charge(kRate / 4);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.LeftOverNow(), kRate - kRate / 4);
  EXPECT_EQ(budget_.LeftOverNow(), kRate - kRate / 4);
  EXPECT_EQ(budget_.LeftOver(0), kRate - kRate / 4);
  budget_.SpendLeftOver(kRate / 4);
  EXPECT_EQ(budget_.LeftOverNow(), kRate / 2);
}

// Under overload nothing is left over, however much was left before it began.
TEST_F(BudgetTest, WhatWasLeftLongAgoIsGone) {
  EXPECT_EQ(budget_.LeftOver(0), 0);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(budget_.LeftOver(0), kRate);
  for (int second = 0; second < 5; ++second) {
    budget_.Charge(kRate);
    steady_.AdvanceMs(1000);
    EXPECT_EQ(budget_.LeftOver(0), 0);
  }
}

TEST_F(BudgetTest, WhatIsSavedForStaysUntilItIsEnough) {
  for (int second = 0; second < 4; ++second) {
    budget_.LeftOver(2 * kRate);
    budget_.Charge(kRate / 2);
    steady_.AdvanceMs(1000);
  }
  EXPECT_EQ(budget_.LeftOver(2 * kRate), 2 * kRate);
}

}  // namespace
}  // namespace lapse::engine
