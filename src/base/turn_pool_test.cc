#include "base/turn_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace lapse {
namespace {

class TurnPoolTest : public ::testing::Test {
 protected:
  TurnPoolTest() { Use(1, 8); }

  void Use(size_t turns, size_t threads_max) {
    owner_ = std::make_unique<TurnPool>("test", turns, threads_max, steady_);
    pool_ = owner_.get();
  }
  // Work that notes its name.
  void Note(const std::string& name) {
    pool_->Run([this, name](TurnPool::Turn&) { ran_.push_back(name); });
  }
  // What was noted, when all work has ended.
  std::vector<std::string> End() {
    owner_.reset();
    return ran_;
  }

  ManualSteadyClock steady_;
  std::vector<std::string> ran_;  // only by who has the one turn
  std::unique_ptr<TurnPool> owner_;
  TurnPool* pool_ = nullptr;  // work uses it while its owner waits for the end
};

using Names = std::vector<std::string>;

TEST_F(TurnPoolTest, RunsAllThatItWasGiven) {
  for (int i = 0; i < 100; ++i) Note("work");
  EXPECT_EQ(End().size(), 100u);
}

TEST_F(TurnPoolTest, WhoHasRunForASliceLetsThoseWhoWaitRun) {
  pool_->Run([this](TurnPool::Turn& turn) {
    Note("other");
    steady_.AdvanceMs(20);
    turn.LetOthers();
    ran_.emplace_back("again");
  });
  EXPECT_EQ(End(), (Names{"other", "again"}));
}

TEST_F(TurnPoolTest, NobodyIsInterruptedBeforeTheSliceIsOver) {
  pool_->Run([this](TurnPool::Turn& turn) {
    Note("other");
    steady_.AdvanceMs(19);
    turn.LetOthers();
    ran_.emplace_back("still");
  });
  EXPECT_EQ(End(), (Names{"still", "other"}));
}

TEST_F(TurnPoolTest, ASliceBeginsAnewWithEachTurn) {
  pool_->Run([this](TurnPool::Turn& turn) {
    Note("one");
    steady_.AdvanceMs(20);
    turn.LetOthers();
    Note("two");
    steady_.AdvanceMs(19);
    turn.LetOthers();
    ran_.emplace_back("long");
  });
  EXPECT_EQ(End(), (Names{"one", "long", "two"}));
}

TEST_F(TurnPoolTest, WhoIsAloneGoesOn) {
  pool_->Run([this](TurnPool::Turn& turn) {
    steady_.AdvanceMs(1000);
    turn.LetOthers();
    ran_.emplace_back("alone");
  });
  EXPECT_EQ(End(), (Names{"alone"}));
}

TEST_F(TurnPoolTest, TurnsGoToNewAndToLongWorkAlternately) {
  pool_->Run([this](TurnPool::Turn& turn) {
    for (int i = 0; i < 3; ++i) Note("new");
    steady_.AdvanceMs(20);
    turn.LetOthers();
    ran_.emplace_back("long");
  });
  EXPECT_EQ(End(), (Names{"new", "long", "new", "new"}));
}

TEST_F(TurnPoolTest, AsManyRunAsThereAreTurns) {
  Use(2, 8);
  std::promise<void> first, second;
  std::atomic<bool> third = false;
  pool_->Run([&](TurnPool::Turn&) {
    first.set_value();
    second.get_future().wait();
  });
  pool_->Run([&](TurnPool::Turn&) {
    pool_->Run([&](TurnPool::Turn&) { third = true; });
    first.get_future().wait();
    EXPECT_FALSE(third) << "both turns are taken";
    second.set_value();
  });
  End();
  EXPECT_TRUE(third);
}

// What has begun holds a thread. When all of them are taken, long work takes turns and new work waits for an end.
TEST_F(TurnPoolTest, NewWorkWaitsWhenAllThreadsAreTaken) {
  Use(1, 2);
  pool_->Run([this](TurnPool::Turn& turn) {
    pool_->Run([this](TurnPool::Turn& other) {
      Note("new");
      steady_.AdvanceMs(20);
      other.LetOthers();
      ran_.emplace_back("second");
    });
    steady_.AdvanceMs(20);
    turn.LetOthers();
    steady_.AdvanceMs(20);
    turn.LetOthers();
    ran_.emplace_back("first");
  });
  EXPECT_EQ(End(), (Names{"second", "new", "first"}));
}

}  // namespace
}  // namespace lapse
