#include "ttl/store_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ttl/saturating.h"

namespace lapse::ttl {
namespace {

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;
constexpr int64_t kStart = 1'700'000'000'000;

// A machine with its two clocks, and the server on it.
class StoreTimeTest : public testing::Test {
 protected:
  void Start(std::optional<StoreTimeMark> mark, bool test_clock = false) {
    time_.emplace(StoreTimeLimits{}, mark, test_clock, wall_ms_, SteadyNs());
  }
  void StartFresh(bool test_clock = false) { Start(std::nullopt, test_clock); }

  // Stops the server for this long. Afterwards the steady clock may have any zero.
  void Restart(int64_t down_ms) {
    StoreTimeMark mark = time_->Mark();
    wall_ms_ += down_ms;
    steady_ms_ = 12345;
    Start(mark, mark.test_clock);
  }

  void Pass(int64_t ms) {
    wall_ms_ += ms;
    steady_ms_ += ms;
  }
  void Jump(int64_t ms) { wall_ms_ += ms; }

  int64_t SteadyNs() const { return steady_ms_ * 1'000'000; }
  int64_t Now() { return time_->NowMs(wall_ms_, SteadyNs()); }
  Status Freeze() { return time_->Freeze(wall_ms_, SteadyNs()); }
  Status Resume() { return time_->Resume(wall_ms_, SteadyNs()); }
  Status Advance(int64_t by_ms) { return time_->Advance(by_ms, wall_ms_, SteadyNs()); }
  Status Set(int64_t to_ms) { return time_->Set(to_ms, wall_ms_, SteadyNs()); }
  void Accept() { time_->Accept(wall_ms_, SteadyNs()); }

  int64_t wall_ms_ = kStart;
  int64_t steady_ms_ = 777;
  std::optional<StoreTime> time_;
};

TEST_F(StoreTimeTest, FreshStoreFollowsTheWallClock) {
  StartFresh();
  EXPECT_EQ(Now(), kStart);
  Pass(5 * kDay);
  EXPECT_EQ(Now(), kStart + 5 * kDay);
  EXPECT_FALSE(time_->held());
}

TEST_F(StoreTimeTest, FollowsSmallCorrectionsForward) {
  StartFresh();
  Pass(kMinute);
  Jump(kHour);
  EXPECT_EQ(Now(), kStart + kMinute + kHour);
  EXPECT_FALSE(time_->held());
  EXPECT_EQ(time_->ahead_ms(), 0);
}

TEST_F(StoreTimeTest, TicksOnWhenTheWallClockStepsBack) {
  StartFresh();
  Pass(kMinute);
  EXPECT_EQ(Now(), kStart + kMinute);
  Jump(-kDay);
  EXPECT_EQ(Now(), kStart + kMinute);
  EXPECT_EQ(time_->ahead_ms(), -kDay);
  Pass(kMinute);
  EXPECT_EQ(Now(), kStart + 2 * kMinute);
  EXPECT_FALSE(time_->held());
  Jump(kDay + kSecond);
  EXPECT_EQ(Now(), kStart + 2 * kMinute + kSecond);
}

TEST_F(StoreTimeTest, HoldsWhenTheWallClockJumpsBeyondTheLimit) {
  StartFresh();
  Jump(kHour + 1);
  EXPECT_EQ(Now(), kStart);
  EXPECT_TRUE(time_->held());
  EXPECT_EQ(time_->ahead_ms(), kHour + 1);
}

TEST_F(StoreTimeTest, AHoldDoesNotWearOff) {
  StartFresh();
  Jump(kHour + 1);
  for (int hour = 1; hour <= 24 * 40; ++hour) {
    Pass(kHour);
    ASSERT_EQ(Now(), kStart + hour * kHour);
    ASSERT_TRUE(time_->held());
  }
}

TEST_F(StoreTimeTest, AHoldEndsWhenTheWallClockComesBack) {
  for (int64_t ahead_after : {-kDay, -kSecond, int64_t{0}, kMinute, kHour}) {
    wall_ms_ = kStart;
    StartFresh();
    Jump(kDay);
    Now();
    ASSERT_TRUE(time_->held());
    Jump(ahead_after - kDay);
    EXPECT_EQ(Now(), kStart + std::max<int64_t>(ahead_after, 0));
    EXPECT_FALSE(time_->held());
  }
}

TEST_F(StoreTimeTest, AcceptFollowsTheJump) {
  StartFresh();
  Jump(400 * kDay);
  Now();
  ASSERT_TRUE(time_->held());
  Accept();
  EXPECT_FALSE(time_->held());
  EXPECT_EQ(time_->Mark().high_water_ms, kStart + 400 * kDay);
  EXPECT_EQ(Now(), kStart + 400 * kDay);
  Pass(kSecond);
  EXPECT_EQ(Now(), kStart + 400 * kDay + kSecond);
  Jump(kHour + 1);
  Now();
  EXPECT_TRUE(time_->held()) << "only that one jump was accepted";
}

TEST_F(StoreTimeTest, AcceptNeverGoesBack) {
  StartFresh();
  Jump(-kDay);
  Pass(kSecond);
  Accept();
  EXPECT_EQ(Now(), kStart + kSecond);
}

TEST_F(StoreTimeTest, RestartGoesOnAfterTheSecondOfTheMark) {
  wall_ms_ = kStart + 250;
  StartFresh();
  Now();
  Restart(0);
  EXPECT_EQ(Now(), kStart + 999) << "answers may have been given up to the end of the marked second";
  Pass(10);
  EXPECT_EQ(Now(), kStart + 999) << "the wall clock is still within it";
  Pass(750);
  EXPECT_EQ(Now(), kStart + 1010);
}

TEST_F(StoreTimeTest, QuickRestartsDoNotPushTimeAhead) {
  StartFresh();
  for (int i = 0; i < 100; ++i) {
    Now();
    Restart(0);
    Pass(50);
    EXPECT_LE(Now(), wall_ms_ + kSecond);
  }
  Pass(kSecond);
  EXPECT_EQ(Now(), wall_ms_);
}

TEST_F(StoreTimeTest, RestartCatchesUpWithTheWallClock) {
  StartFresh();
  Now();
  Restart(29 * kDay);
  EXPECT_EQ(Now(), kStart + 29 * kDay);
  EXPECT_FALSE(time_->held());
}

TEST_F(StoreTimeTest, RestartWithTheWallClockSetBackTicksFromTheMark) {
  StartFresh();
  Now();
  Restart(-100 * kDay);
  EXPECT_EQ(Now(), kStart + 999);
  Pass(kMinute);
  EXPECT_EQ(Now(), kStart + kMinute);
}

TEST_F(StoreTimeTest, HoldsAtStartBeyondTheStartLimit) {
  StartFresh();
  Now();
  Restart(31 * kDay);
  EXPECT_TRUE(time_->held()) << "known before the first answer";
  EXPECT_EQ(Now(), kStart + 999);
  for (int day = 1; day <= 40; ++day) {
    Pass(kDay);
    ASSERT_EQ(Now(), kStart + day * kDay);
    ASSERT_TRUE(time_->held());
  }
  Accept();
  EXPECT_EQ(Now(), wall_ms_);
  EXPECT_FALSE(time_->held());
}

TEST_F(StoreTimeTest, AHeldStartEndsWithinTheStartLimit) {
  StartFresh();
  Now();
  Restart(3 * kDay + 365 * kDay);
  Pass(kMinute);
  Now();
  ASSERT_TRUE(time_->held());
  Jump(-365 * kDay);  // the calendar is corrected: the server was down for three days
  EXPECT_EQ(Now(), kStart + 3 * kDay + kMinute);
  EXPECT_FALSE(time_->held());
  Jump(2 * kHour);
  EXPECT_EQ(Now(), kStart + 3 * kDay + kMinute);
  EXPECT_TRUE(time_->held()) << "from then on the running limit applies";
}

TEST_F(StoreTimeTest, ACalendarThatStartsLongAgoAndIsSetRightIsAJump) {
  StartFresh();
  Now();
  Restart(-20'000 * kDay);
  Pass(kMinute);
  Now();
  Jump(20'003 * kDay);
  EXPECT_EQ(Now(), kStart + kMinute);
  EXPECT_TRUE(time_->held());
}

TEST_F(StoreTimeTest, AfterAnOrdinaryStartTheRunningLimitApplies) {
  for (int64_t down_ms : {-kMinute, int64_t{0}, kSecond, 5 * kDay}) {
    wall_ms_ = kStart;
    StartFresh();
    Now();
    Restart(down_ms);
    int64_t before = Now();
    Jump(kDay);
    EXPECT_EQ(Now(), before);
    EXPECT_TRUE(time_->held()) << down_ms;
  }
}

TEST_F(StoreTimeTest, AHoldSurvivesARestart) {
  for (int64_t jump_ms : {2 * kHour, 100 * kDay}) {
    wall_ms_ = kStart;
    StartFresh();
    Jump(jump_ms);
    Now();
    ASSERT_TRUE(time_->held());
    Restart(kSecond);
    EXPECT_TRUE(time_->held());
    EXPECT_EQ(Now(), kStart + 999);
    Accept();
    EXPECT_EQ(Now(), wall_ms_);
  }
}

TEST_F(StoreTimeTest, WithoutTestModeTheTestClockIsForbidden) {
  StartFresh();
  EXPECT_EQ(Freeze().code(), Code::kForbidden);
  EXPECT_EQ(Resume().code(), Code::kForbidden);
  EXPECT_EQ(Advance(kSecond).code(), Code::kForbidden);
  EXPECT_EQ(Set(kStart + kSecond).code(), Code::kForbidden);
  EXPECT_EQ(Set(0).code(), Code::kForbidden);
  EXPECT_EQ(Now(), kStart);
  EXPECT_EQ(time_->Mark(), (StoreTimeMark{.high_water_ms = kStart}));
}

TEST_F(StoreTimeTest, FrozenTimeStandsStillAndResumesFromThere) {
  StartFresh(true);
  Pass(kSecond);
  ASSERT_TRUE(Freeze().ok());
  EXPECT_TRUE(time_->frozen());
  Pass(400 * kDay);
  EXPECT_EQ(Now(), kStart + kSecond);
  ASSERT_TRUE(Resume().ok());
  EXPECT_FALSE(time_->frozen());
  EXPECT_EQ(Now(), kStart + kSecond);
  Pass(kMinute);
  EXPECT_EQ(Now(), kStart + kSecond + kMinute);
  EXPECT_FALSE(time_->held());
}

TEST_F(StoreTimeTest, FreezingOrResumingTwiceIsHarmless) {
  StartFresh(true);
  ASSERT_TRUE(Resume().ok());
  Pass(kSecond);
  EXPECT_EQ(Now(), kStart + kSecond);
  ASSERT_TRUE(Freeze().ok());
  Pass(kSecond);
  ASSERT_TRUE(Freeze().ok());
  EXPECT_EQ(Now(), kStart + kSecond);
}

TEST_F(StoreTimeTest, AdvancesWhileRunning) {
  StartFresh(true);
  ASSERT_TRUE(Advance(30 * kDay).ok());
  EXPECT_EQ(Now(), kStart + 30 * kDay);
  Pass(kSecond);
  EXPECT_EQ(Now(), kStart + 30 * kDay + kSecond);
  EXPECT_FALSE(time_->held());
}

TEST_F(StoreTimeTest, AdvancesWhileFrozen) {
  StartFresh(true);
  ASSERT_TRUE(Freeze().ok());
  Pass(kHour);
  ASSERT_TRUE(Advance(30 * kDay).ok());
  ASSERT_TRUE(Advance(0).ok());
  Pass(kHour);
  EXPECT_EQ(Now(), kStart + 30 * kDay);
  ASSERT_TRUE(Resume().ok());
  EXPECT_EQ(Now(), kStart + 30 * kDay);
  Pass(kSecond);
  EXPECT_EQ(Now(), kStart + 30 * kDay + kSecond);
}

TEST_F(StoreTimeTest, SetsForwardOnly) {
  StartFresh(true);
  ASSERT_TRUE(Set(kStart + kDay).ok());
  EXPECT_EQ(Now(), kStart + kDay);
  ASSERT_TRUE(Set(kStart + kDay).ok());
  EXPECT_EQ(Set(kStart + kDay - 1).code(), Code::kInvalidArgument);
  EXPECT_EQ(Set(kInt64Min).code(), Code::kInvalidArgument);
  EXPECT_EQ(Advance(-1).code(), Code::kInvalidArgument);
  EXPECT_EQ(Advance(kInt64Min).code(), Code::kInvalidArgument);
  EXPECT_EQ(Now(), kStart + kDay);
}

TEST_F(StoreTimeTest, StaysBelowTheYear10000) {
  for (bool frozen : {false, true}) {
    wall_ms_ = kStart;
    StartFresh(true);
    if (frozen) {
      ASSERT_TRUE(Freeze().ok());
    }
    EXPECT_EQ(Advance(kInt64Max).code(), Code::kInvalidArgument);
    EXPECT_EQ(Set(kInt64Max).code(), Code::kInvalidArgument);
    EXPECT_EQ(Set(kStoreTimeMax_ms + 1).code(), Code::kInvalidArgument);
    EXPECT_EQ(Now(), kStart);
    ASSERT_TRUE(Set(kStoreTimeMax_ms).ok());
    EXPECT_EQ(Now(), kStoreTimeMax_ms);
    Pass(kDay);
    EXPECT_EQ(Now(), kStoreTimeMax_ms);
    EXPECT_EQ(Advance(1).code(), Code::kInvalidArgument);
  }
}

TEST_F(StoreTimeTest, AdvancingNeitherHidesNorEndsAHold) {
  StartFresh(true);
  Jump(2 * kHour);
  Now();
  ASSERT_TRUE(time_->held());
  ASSERT_TRUE(Advance(kDay).ok());
  EXPECT_EQ(Now(), kStart + kDay);
  EXPECT_TRUE(time_->held());
  EXPECT_EQ(time_->ahead_ms(), 2 * kHour);
}

TEST_F(StoreTimeTest, TestOffsetSurvivesARestart) {
  StartFresh(true);
  ASSERT_TRUE(Advance(365 * kDay).ok());
  StoreTimeMark mark = time_->Mark();
  EXPECT_EQ(mark,
            (StoreTimeMark{.high_water_ms = kStart + 365 * kDay, .test_clock = true, .test_offset_ms = 365 * kDay}));
  Restart(kHour);
  EXPECT_EQ(Now(), kStart + 365 * kDay + kHour);
  EXPECT_FALSE(time_->held());
}

TEST_F(StoreTimeTest, FrozenStateSurvivesARestart) {
  StartFresh(true);
  ASSERT_TRUE(Freeze().ok());
  ASSERT_TRUE(Advance(kDay + 5).ok());
  Restart(500 * kDay);
  EXPECT_TRUE(time_->frozen());
  EXPECT_FALSE(time_->held());
  EXPECT_EQ(Now(), kStart + kDay + 5) << "to the millisecond";
  Accept();
  EXPECT_EQ(Now(), kStart + kDay + 5);
  ASSERT_TRUE(Resume().ok());
  EXPECT_EQ(Now(), kStart + kDay + 5);
  Pass(kSecond);
  EXPECT_EQ(Now(), kStart + kDay + 5 + kSecond);
  EXPECT_FALSE(time_->held());
}

TEST_F(StoreTimeTest, AWallClockBeyondAllReasonDoesNoHarm) {
  for (int64_t wall_ms : {kInt64Min, int64_t{-1}, kStoreTimeMax_ms + 1, kInt64Max}) {
    wall_ms_ = kStart;
    StartFresh(true);
    ASSERT_TRUE(Advance(kDay).ok());
    wall_ms_ = wall_ms;
    EXPECT_EQ(Now(), kStart + kDay);
    Accept();
    EXPECT_LE(Now(), kStoreTimeMax_ms);
    EXPECT_GE(Now(), kStart + kDay);
    ASSERT_TRUE(Freeze().ok());
    ASSERT_TRUE(Resume().ok());
    Start(StoreTimeMark{.high_water_ms = wall_ms}, false);
    EXPECT_GE(Now(), 0);
    EXPECT_LE(Now(), kStoreTimeMax_ms);
    StartFresh();
    EXPECT_GE(Now(), 0);
    EXPECT_LE(Now(), kStoreTimeMax_ms);
  }
}

TEST_F(StoreTimeTest, NeverGoesBackWhateverHappens) {
  std::mt19937_64 random(7);
  auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
  for (int round = 0; round < 300; ++round) {
    wall_ms_ = kStart + below(1000);
    StartFresh(true);
    int64_t latest = Now();
    int64_t answered_up_to = latest;
    for (int step = 0; step < 200; ++step) {
      switch (below(10)) {
        case 0: Jump(below(4 * kHour) - 2 * kHour); break;
        case 1: Jump(below(80 * kDay) - 40 * kDay); break;
        case 2: ASSERT_TRUE(Freeze().ok()); break;
        case 3: ASSERT_TRUE(Resume().ok()); break;
        case 4: ASSERT_TRUE(Advance(below(kDay)).ok()); break;
        case 5: Accept(); break;
        case 6: Restart(below(40 * kDay)); break;
        default: Pass(below(5 * kSecond)); break;
      }
      latest = Now();
      ASSERT_GE(latest, answered_up_to) << "round " << round << ", step " << step;
      answered_up_to = latest;
    }
  }
}

}  // namespace
}  // namespace lapse::ttl
