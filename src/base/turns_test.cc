#include "base/turns.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace lapse {
namespace {

class TurnsTest : public ::testing::Test {
 protected:
  void WaitUntilWaiting(size_t count) {
    while (turns_.waiting() < count) std::this_thread::yield();
  }
  // A piece of work on a thread of its own that notes its name when it has its turn.
  std::thread Start(const std::string& name) {
    return std::thread([this, name] {
      Turns::Turn turn(&turns_);
      ran_.push_back(name);
    });
  }

  ManualSteadyClock steady_;
  Turns turns_{1, steady_};
  std::vector<std::string> ran_;  // only by who has the turn
};

TEST_F(TurnsTest, WhoHasRunForASliceLetsThoseWhoWaitRun) {
  std::thread other;
  {
    Turns::Turn turn(&turns_);
    other = Start("other");
    WaitUntilWaiting(1);
    steady_.AdvanceMs(20);
    turn.LetOthers();
    ran_.emplace_back("again");
  }
  other.join();
  EXPECT_EQ(ran_, (std::vector<std::string>{"other", "again"}));
}

TEST_F(TurnsTest, NobodyIsInterruptedBeforeTheSliceIsOver) {
  std::thread other;
  {
    Turns::Turn turn(&turns_);
    other = Start("other");
    WaitUntilWaiting(1);
    steady_.AdvanceMs(19);
    turn.LetOthers();
    ran_.emplace_back("still");
  }
  other.join();
  EXPECT_EQ(ran_, (std::vector<std::string>{"still", "other"}));
}

TEST_F(TurnsTest, WhoIsAloneGoesOn) {
  Turns::Turn turn(&turns_);
  steady_.AdvanceMs(1000);
  turn.LetOthers();
  EXPECT_EQ(turns_.waiting(), 0u);
}

TEST_F(TurnsTest, TurnsGoToNewAndToLongWorkAlternately) {
  std::vector<std::thread> others;
  {
    Turns::Turn turn(&turns_);
    for (size_t i = 0; i < 3; ++i) {
      others.push_back(Start("new"));
      WaitUntilWaiting(i + 1);
    }
    steady_.AdvanceMs(20);
    turn.LetOthers();
    ran_.emplace_back("long");
  }
  for (std::thread& other : others) other.join();
  EXPECT_EQ(ran_, (std::vector<std::string>{"new", "long", "new", "new"}));
}

TEST_F(TurnsTest, AsManyRunAsThereAreTurns) {
  Turns two(2, steady_);
  Turns::Turn one(&two);
  Turns::Turn other(&two);
  EXPECT_EQ(two.waiting(), 0u);
}

TEST_F(TurnsTest, WithoutTurnsNobodyWaits) {
  Turns::Turn turn(nullptr);
  turn.LetOthers();
}

}  // namespace
}  // namespace lapse
