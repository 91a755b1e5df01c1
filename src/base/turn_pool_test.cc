#include "base/turn_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
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
  // Runs a task that records its name.
  void Note(const std::string& name) {
    pool_->Run([this, name](TurnPool::Turn&) { ran_.push_back(name); });
  }
  // Runs a task that records its name, and that of its answer.
  void Answer(const std::string& name) {
    pool_->Run([this, name](TurnPool::Turn& turn) {
      ran_.push_back(name);
      turn.DoSoon([this] {
        ran_.emplace_back("answer");
        return std::function<void()>();
      });
      ran_.push_back("end of " + name);
    });
  }
  // Returns what was recorded, once all tasks have ended.
  std::vector<std::string> End() {
    owner_.reset();
    return ran_;
  }

  ManualSteadyClock steady_;
  std::vector<std::string> ran_;  // written only by the task that has the one turn
  std::unique_ptr<TurnPool> owner_;
  TurnPool* pool_ = nullptr;  // tasks use it while its owner waits for the end
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

// A task that has begun holds a thread. When all threads are taken, long tasks take turns and a new task waits until
// one ends.
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

TEST_F(TurnPoolTest, AHelperRunsWhereATurnIsFree) {
  Use(2, 8);
  std::thread::id helper;
  std::thread::id own;
  pool_->Run([&](TurnPool::Turn& turn) {
    own = std::this_thread::get_id();
    std::promise<void> helped;
    const auto help = [&](const std::function<bool()>&) {
      helper = std::this_thread::get_id();
      helped.set_value();
    };
    ASSERT_TRUE(turn.TryRun(help));
    turn.Wait([&] { helped.get_future().wait(); });
  });
  End();
  EXPECT_NE(helper, std::thread::id());
  EXPECT_NE(helper, own);
}

TEST_F(TurnPoolTest, NobodyHelpsWhereAllTurnsAreTaken) {
  pool_->Run([this](TurnPool::Turn& turn) {
    EXPECT_FALSE(turn.TryRun([](const std::function<bool()>&) { FAIL() << "there is one turn"; }));
    Note("other");
  });
  EXPECT_EQ(End(), (Names{"other"}));
}

TEST_F(TurnPoolTest, NobodyHelpsWhereAllThreadsAreTaken) {
  Use(1, 1);
  pool_->Run([](TurnPool::Turn& turn) {
    turn.Wait(
        [&] { EXPECT_FALSE(turn.TryRun([](const std::function<bool()>&) { FAIL() << "there is one thread"; })); });
  });
  End();
}

TEST_F(TurnPoolTest, AHelperLetsOthersRun) {
  Use(2, 8);
  pool_->Run([this](TurnPool::Turn& turn) {
    std::promise<void> helped;
    std::promise<void> waits;
    const auto help = [&](const std::function<bool()>& let_others) {
      waits.get_future().wait();
      steady_.AdvanceMs(20);
      EXPECT_TRUE(let_others());
      ran_.emplace_back("helper");
      helped.set_value();
    };
    ASSERT_TRUE(turn.TryRun(help));
    Note("other");  // both turns are taken
    waits.set_value();
    helped.get_future().wait();
  });
  EXPECT_EQ(End(), (Names{"other", "helper"}));
}

// Two tasks wait for helpers that have yielded. If the tasks kept their turns, they would deadlock.
TEST_F(TurnPoolTest, WhoWaitsForAHelperHasNoTurn) {
  pool_->Run([this](TurnPool::Turn& turn) {
    std::promise<void> other;
    pool_->Run([&](TurnPool::Turn&) {
      ran_.emplace_back("other");
      other.set_value();
    });
    turn.Wait([&] { other.get_future().wait(); });
    ran_.emplace_back("waited");
  });
  EXPECT_EQ(End(), (Names{"other", "waited"}));
}

// A turn is free, but no thread.
TEST_F(TurnPoolTest, NewWorkBeginsWhenAThreadIsThere) {
  Use(2, 2);
  pool_->Run([this](TurnPool::Turn& turn) {
    std::promise<void> second;
    std::promise<void> ends;
    pool_->Run([&](TurnPool::Turn&) {
      second.set_value();
      ends.get_future().wait();
    });
    second.get_future().wait();
    std::promise<void> third;
    turn.Wait([&] {
      pool_->Run([&](TurnPool::Turn&) { third.set_value(); });
      ends.set_value();
      third.get_future().wait();
    });
    ran_.emplace_back("waited");
  });
  EXPECT_EQ(End(), (Names{"waited"}));
}

// Many tasks that have helpers and wait for them: all of them end.
TEST_F(TurnPoolTest, ManyWithHelpersComeToTheirEnd) {
  Use(3, 8);
  std::atomic<int> done = 0;
  for (int i = 0; i < 200; ++i) {
    pool_->Run([&](TurnPool::Turn& turn) {
      std::promise<void> helped;
      const auto help = [&](const std::function<bool()>& let_others) {
        steady_.AdvanceMs(20);
        let_others();
        helped.set_value();
      };
      if (turn.TryRun(help)) turn.Wait([&] { helped.get_future().wait(); });
      steady_.AdvanceMs(20);
      turn.LetOthers();
      ++done;
    });
  }
  End();
  EXPECT_EQ(done, 200);
}

TEST_F(TurnPoolTest, WhatIsToBeDoneSoonIsDoneAtOnceWhereNobodyWaits) {
  Answer("work");
  EXPECT_EQ(End(), (Names{"work", "answer", "end of work"}));
}

TEST_F(TurnPoolTest, WhereManyWaitItIsDoneForSeveralTogether) {
  pool_->Run([this](TurnPool::Turn&) {
    for (const char* name : {"1", "2", "3", "4", "5"}) Answer(name);
  });
  EXPECT_EQ(End(), (Names{"1", "end of 1", "2", "end of 2", "3", "answer", "answer", "answer", "end of 3",  //
                          "4", "answer", "end of 4", "5", "answer", "end of 5"}));
}

TEST_F(TurnPoolTest, NothingIsPutOffForLongerThanTheNextWorkRuns) {
  pool_->Run([this](TurnPool::Turn&) {
    Answer("short");
    pool_->Run([this](TurnPool::Turn& turn) {
      turn.LetOthers();
      ran_.emplace_back("long");
      steady_.AdvanceMs(1);
      turn.LetOthers();
      ran_.emplace_back("still long");
    });
    for (int i = 0; i < 4; ++i) Note("other");
  });
  EXPECT_EQ(End(),
            (Names{"short", "end of short", "long", "answer", "still long", "other", "other", "other", "other"}));
}

TEST_F(TurnPoolTest, WhatFollowsComesAfterTheLastOfThoseThatAreDoneTogether) {
  pool_->Run([&](TurnPool::Turn&) {
    for (int i = 0; i < 2; ++i) {
      pool_->Run([this](TurnPool::Turn& turn) {
        turn.DoSoon([this]() -> std::function<void()> {
          ran_.emplace_back("answer");
          return [this] { ran_.emplace_back("wake"); };
        });
      });
    }
    for (int i = 0; i < 2; ++i) Note("other");
  });
  EXPECT_EQ(End(), (Names{"answer", "answer", "wake", "wake", "other", "other"}));
}

TEST_F(TurnPoolTest, NothingIsPutOffWhileTheThreadWaits) {
  std::atomic<bool> answered = false;
  std::atomic<bool> was_put_off = false;
  std::atomic<bool> answered_before_wait = false;
  pool_->Run([&](TurnPool::Turn&) {
    pool_->Run([&](TurnPool::Turn& turn) {
      turn.DoSoon([&] {
        answered = true;
        return std::function<void()>();
      });
      was_put_off = !answered;
    });
    // Other tasks run during the wait.
    pool_->Run([&](TurnPool::Turn& turn) { turn.Wait([&] { answered_before_wait = answered.load(); }); });
    for (int i = 0; i < 4; ++i) Note("other");
  });
  End();
  EXPECT_TRUE(was_put_off);
  EXPECT_TRUE(answered_before_wait);
}

}  // namespace
}  // namespace lapse
