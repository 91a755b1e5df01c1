#include "engine/time/store_clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace lapse::engine {
namespace {

class StoreClockTest : public ::testing::Test {
 protected:
  static constexpr int64_t kStart_ms = 1'750'000'000'000;

  std::unique_ptr<StoreClock> Make(bool test_clock = false) {
    return std::make_unique<StoreClock>(wall_, steady_, ttl::StoreTimeLimits{}, mark_, test_clock,
                                        [this](const ttl::StoreTimeMark& mark) {
                                          ++saves_;
                                          if (!save_.ok()) return save_;
                                          mark_ = mark;
                                          return Status::Ok();
                                        });
  }

  void Pass(int64_t ms) {
    wall_.Advance(ms);
    steady_.AdvanceMs(ms);
  }

  ManualWallClock wall_{kStart_ms};
  ManualSteadyClock steady_;
  std::optional<ttl::StoreTimeMark> mark_;
  Status save_;
  int saves_ = 0;
};

TEST_F(StoreClockTest, ANewSecondIsDurableBeforeItIsSeen) {
  auto clock = Make();
  for (int i = 0; i < 50; ++i) {
    Pass(170);
    int64_t now_ms = clock->NowMs();
    EXPECT_EQ(now_ms, wall_.NowMs());
    ASSERT_TRUE(mark_.has_value());
    EXPECT_EQ(mark_->high_water_ms / 1000, now_ms / 1000);
  }
}

TEST_F(StoreClockTest, WithinASecondNothingIsWritten) {
  auto clock = Make();
  int saves = saves_;
  for (int i = 0; i < 9; ++i) {
    Pass(100);
    clock->NowMs();
  }
  EXPECT_EQ(saves_, saves);
}

TEST_F(StoreClockTest, TimeGoesOnWhenTheMarkCannotBeSaved) {
  auto clock = Make();
  save_ = Status(Code::kNoSpace, "full");
  Pass(5000);
  EXPECT_EQ(clock->NowMs(), kStart_ms + 5000);
  EXPECT_EQ(clock->mark_failures(), 1);
}

TEST_F(StoreClockTest, AWallClockThatStepsBackTakesNothingBack) {
  auto clock = Make();
  Pass(10'000);
  EXPECT_EQ(clock->NowMs(), kStart_ms + 10'000);
  wall_.Advance(-3'600'000);
  steady_.AdvanceMs(2000);
  EXPECT_EQ(clock->NowMs(), kStart_ms + 12'000);
  clock = Make();
  EXPECT_EQ(clock->NowMs() / 1000, (kStart_ms + 12'000) / 1000);
}

TEST_F(StoreClockTest, AJumpIsHeldUntilAccepted) {
  auto clock = Make();
  wall_.Advance(2 * 3'600'000);
  steady_.AdvanceMs(1000);
  EXPECT_EQ(clock->NowMs(), kStart_ms + 1000);
  EXPECT_TRUE(clock->held());
  EXPECT_TRUE(clock->Accept().ok());
  EXPECT_FALSE(clock->held());
  EXPECT_EQ(clock->NowMs(), wall_.NowMs());
}

TEST_F(StoreClockTest, TheTestClockFreezesMovesAndIsKept) {
  auto clock = Make(true);
  ASSERT_TRUE(clock->Freeze().ok());
  int64_t frozen_ms = clock->NowMs();
  Pass(60'000);
  EXPECT_EQ(clock->NowMs(), frozen_ms);
  ASSERT_TRUE(clock->Advance(30LL * 86'400'000).ok());
  EXPECT_EQ(clock->NowMs(), frozen_ms + 30LL * 86'400'000);
  EXPECT_EQ(clock->Set(frozen_ms).code(), Code::kInvalidArgument);
  clock = Make(true);
  EXPECT_TRUE(clock->frozen());
  EXPECT_EQ(clock->NowMs() / 1000, frozen_ms / 1000 + 30LL * 86'400);
  ASSERT_TRUE(clock->Resume().ok());
  Pass(5000);
  EXPECT_EQ(clock->NowMs() / 1000, frozen_ms / 1000 + 30LL * 86'400 + 5);
}

TEST_F(StoreClockTest, ATestClockThatCannotBeKeptIsNotMoved) {
  auto clock = Make(true);
  save_ = Status(Code::kUnavailable, "broken");
  EXPECT_EQ(clock->Freeze().code(), Code::kUnavailable);
  EXPECT_FALSE(clock->frozen());
  EXPECT_EQ(clock->Advance(5000).code(), Code::kUnavailable);
  EXPECT_EQ(clock->NowMs(), kStart_ms);
  save_ = Status::Ok();
  ASSERT_TRUE(clock->Freeze().ok());

  save_ = Status(Code::kNoSpace, "full");
  EXPECT_EQ(clock->Advance(5000).code(), Code::kUnavailable);
  EXPECT_EQ(clock->Set(kStart_ms + 5000).code(), Code::kUnavailable);
  EXPECT_EQ(clock->Resume().code(), Code::kUnavailable);
  EXPECT_TRUE(clock->frozen());
  EXPECT_EQ(clock->NowMs(), kStart_ms);
  save_ = Status::Ok();
  EXPECT_EQ(clock->NowMs(), kStart_ms);
  ASSERT_TRUE(clock->Advance(5000).ok());
  EXPECT_EQ(clock->NowMs(), kStart_ms + 5000);
  EXPECT_EQ(Make(true)->NowMs(), kStart_ms + 5000);
}

// The mark of the move may be on disk although its write failed.
TEST_F(StoreClockTest, AMoveThatFailedDoesNotComeUpAtTheNextStart) {
  bool fail_once = false;
  StoreClock clock(wall_, steady_, {}, std::nullopt, true, [&](const ttl::StoreTimeMark& mark) {
    mark_ = mark;
    return std::exchange(fail_once, false) ? Status(Code::kUnknownOutcome, "sync failed") : Status::Ok();
  });
  ASSERT_TRUE(clock.Freeze().ok());
  fail_once = true;
  EXPECT_EQ(clock.Advance(5000).code(), Code::kUnavailable);
  EXPECT_EQ(Make(true)->NowMs(), kStart_ms);
}

TEST_F(StoreClockTest, AJumpIsHeldOnWhenItsAcceptanceCannotBeKept) {
  auto clock = Make();
  wall_.Advance(2 * 3'600'000);
  steady_.AdvanceMs(1000);
  clock->NowMs();
  save_ = Status(Code::kUnavailable, "broken");
  EXPECT_EQ(clock->Accept().code(), Code::kUnavailable);
  EXPECT_TRUE(clock->held());
  EXPECT_EQ(clock->NowMs(), kStart_ms + 1000);
  Pass(1000);
  EXPECT_EQ(clock->NowMs(), kStart_ms + 2000) << "time goes on, and not by the wall clock";
  EXPECT_TRUE(clock->held());
}

TEST_F(StoreClockTest, WithoutTheTestClockItCannotBeMoved) {
  auto clock = Make();
  EXPECT_EQ(clock->Advance(1000).code(), Code::kForbidden);
  EXPECT_EQ(clock->Freeze().code(), Code::kForbidden);
}

// Readers under the hold stay in the second of the commit. None of them waits.
TEST_F(StoreClockTest, ACommitHoldsItsSecondForThoseWhoReadUnderIt) {
  auto clock = Make();
  SecondHold hold;
  SecondHold other;
  {
    HeldSecond commit(clock.get(), &hold);
    EXPECT_EQ(commit.now_ms(), kStart_ms);
    Pass(1500);
    EXPECT_EQ(clock->NowMs(), kStart_ms + 1500);
    EXPECT_EQ(hold.Limit(clock->NowMs()), kStart_ms + 999);
    EXPECT_EQ(other.Limit(clock->NowMs()), kStart_ms + 1500);
  }
  EXPECT_EQ(hold.Limit(clock->NowMs()), kStart_ms + 1500);
  HeldSecond next(clock.get(), &hold);
  EXPECT_EQ(next.now_ms(), kStart_ms + 1500);
}

TEST_F(StoreClockTest, AMoveOfTheTestClockWaitsForCommitsOfEarlierSeconds) {
  auto clock = Make(true);
  ASSERT_TRUE(clock->Freeze().ok());
  SecondHold hold;
  std::atomic<bool> moved{false};
  std::thread mover;
  {
    HeldSecond commit(clock.get(), &hold);
    mover = std::thread([&] {
      EXPECT_TRUE(clock->Advance(5000).ok());
      moved.store(true);
    });
    while (clock->NowMs() == kStart_ms) std::this_thread::yield();
    EXPECT_FALSE(moved.load());
  }
  mover.join();
  EXPECT_EQ(hold.Limit(clock->NowMs()), kStart_ms + 5000);
}

// One of two threads moves the clock. Freeze, advance and resume must not show an earlier time than before.
TEST_F(StoreClockTest, TimeNeverGoesBackWhileTheTestClockIsMoved) {
  StoreClock clock(RealWallClock(), RealSteadyClock(), {}, std::nullopt, true, [](auto&) { return Status::Ok(); });
  std::atomic<bool> stop{false};
  std::atomic<int64_t> reads{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([&] {
      for (int64_t last_ms = 0; !stop.load(); ++reads) {
        const int64_t now_ms = clock.NowMs();
        EXPECT_GE(now_ms, last_ms);
        last_ms = now_ms;
      }
    });
  }
  for (int i = 0; i < 500 || reads.load() < 1000; ++i) {
    ASSERT_TRUE(clock.Freeze().ok());
    ASSERT_TRUE(clock.Advance(3'000).ok());
    ASSERT_TRUE(clock.Resume().ok());
  }
  stop.store(true);
  for (std::thread& reader : readers) reader.join();
}

// Fails if a reader sees a later second than that of a commit still in progress.
TEST_F(StoreClockTest, NobodySeesALaterSecondUnderACommit) {
  StoreClock clock(RealWallClock(), RealSteadyClock(), {}, std::nullopt, true, [](auto&) { return Status::Ok(); });
  ASSERT_TRUE(clock.Freeze().ok());
  SecondHold hold;
  std::atomic<int64_t> committing_s{0};  // 0: none is known to be in progress
  std::atomic<bool> stop{false};
  std::atomic<int> commits{0};
  std::atomic<int> reads{0};
  std::thread committer([&] {
    for (; !stop.load(); ++commits) {
      HeldSecond commit(&clock, &hold);
      committing_s.store(commit.now_ms() / 1000);
      std::this_thread::yield();
      committing_s.store(0);
    }
  });
  std::thread reader([&] {
    for (int64_t last_ms = 0; !stop.load(); ++reads) {
      const int64_t before_s = committing_s.load();
      const int64_t seen_ms = hold.Limit(clock.NowMs());
      const int64_t after_s = committing_s.load();
      if (before_s != 0 && before_s == after_s) {
        EXPECT_LE(seen_ms / 1000, before_s);
      }
      EXPECT_GE(seen_ms, last_ms);
      last_ms = seen_ms;
    }
  });
  for (int i = 0; i < 2000 || commits.load() < 1000 || reads.load() < 1000; ++i) {
    ASSERT_TRUE(clock.Advance(1000).ok());
  }
  stop.store(true);
  committer.join();
  reader.join();
}

// A hanging disk stops the mark, but not time.
class HangingMarkTest : public StoreClockTest {
 protected:
  // A test that waits for longer than this has failed.
  static constexpr std::chrono::seconds kPatience{30};

  HangingMarkTest()
      : clock_(wall_, steady_, {}, std::nullopt, false, [this](const ttl::StoreTimeMark& mark) {
          std::unique_lock lock(mutex_);
          ++asked_;
          changed_.notify_all();
          changed_.wait(lock, [this] { return !hangs_; });
          mark_ = mark;
          return Status::Ok();
        }) {
    clock_.StartTicker();
  }
  // The clock's destructor waits for its mark.
  ~HangingMarkTest() override { SetHangs(false); }

  void SetHangs(bool hangs) {
    std::lock_guard lock(mutex_);
    hangs_ = hangs;
    asked_ = 0;
    changed_.notify_all();
  }
  bool WaitUntilHanging() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [this] { return asked_ > 0; });
  }

  // Returns the time that a waiting reader sees once it is no longer `before_ms`, or nullopt if that takes too long.
  std::optional<int64_t> LookAfter(int64_t before_ms) {
    std::optional<int64_t> seen_ms;
    const auto last = std::chrono::steady_clock::now() + kPatience;
    while ((seen_ms = Look()) == before_ms && std::chrono::steady_clock::now() < last) std::this_thread::yield();
    return seen_ms;
  }
  // The same for a single read.
  std::optional<int64_t> Look() {
    auto seen = std::async(std::launch::async, [this] { return clock_.NowMs(); });
    if (seen.wait_for(kPatience) == std::future_status::ready) return seen.get();
    SetHangs(false);
    return std::nullopt;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool hangs_ = false;  // guarded by mutex_
  int asked_ = 0;       // guarded by mutex_
  StoreClock clock_;
};

TEST_F(HangingMarkTest, ReadersDoNotWaitForIt) {
  SetHangs(true);
  Pass(1000);
  std::thread turner([&] { clock_.NowMs(); });
  EXPECT_TRUE(WaitUntilHanging());
  // A caller that must not wait gets the end of the old second at once.
  EXPECT_EQ(clock_.TryNowMs(), kStart_ms + 999);
  SetHangs(false);
  turner.join();
  // The ticker or the other thread advances the second now.
  EXPECT_EQ(LookAfter(kStart_ms + 999), kStart_ms + 1000);
}

TEST_F(HangingMarkTest, EverybodySeesTheNextSecondWhenThePatienceIsOver) {
  SetHangs(true);
  for (int64_t second = 1; second <= 2; ++second) {
    Pass(1000);
    const int64_t due_ms = kStart_ms + second * 1000;
    ASSERT_EQ(LookAfter(due_ms - 1), due_ms);
    EXPECT_EQ(clock_.TryNowMs(), due_ms);
    EXPECT_GE(clock_.mark_failures(), second);
  }
  SetHangs(false);
  Pass(1000);
  EXPECT_EQ(LookAfter(kStart_ms + 2999), kStart_ms + 3000);
  std::lock_guard lock(mutex_);
  EXPECT_EQ(mark_->high_water_ms / 1000, kStart_ms / 1000 + 3);
}

// While the disk hangs, turns follow each other at once, and each takes its full patience.
TEST_F(HangingMarkTest, WhoMeetsATurnWaitsForThatTurnAlone) {
  SetHangs(true);
  std::atomic<bool> stop{false};
  std::thread time([&] {
    while (!stop) {
      Pass(1000);
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> turners;
  for (int i = 0; i < 3; ++i) {
    turners.emplace_back([&] {
      while (!stop) clock_.NowMs();
    });
  }
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Look().has_value());
  stop = true;
  time.join();
  for (std::thread& turner : turners) turner.join();
}

// The caller that moves the clock waits for as long as it takes. Readers do not.
TEST_F(HangingMarkTest, ReadersDoNotWaitForAMoveOfTheClock) {
  wall_.Advance(2 * 3'600'000);
  Pass(1000);
  EXPECT_EQ(LookAfter(kStart_ms + 999), kStart_ms + 1000);
  ASSERT_TRUE(clock_.held());
  SetHangs(true);
  auto accepted = std::async(std::launch::async, [&] { return clock_.Accept(); });
  ASSERT_TRUE(WaitUntilHanging());
  Pass(1000);
  EXPECT_EQ(Look(), kStart_ms + 1999);
  EXPECT_TRUE(clock_.held());
  SetHangs(false);
  EXPECT_TRUE(accepted.get().ok());
  EXPECT_FALSE(clock_.held());
}

}  // namespace
}  // namespace lapse::engine
