// Runs work at once or, while held, on request and in an order that the dice decide. So writes wait together and are
// committed in groups, and partitions take turns in any order.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "tests/simulation/dice.h"

namespace lapse::simulation {

// Threads: one.
class SeededExecutor final : public Executor {
 public:
  explicit SeededExecutor(Dice* dice) : dice_(dice) {}

  void Run(std::function<void()> work) override {
    // The work that a leader hands to other threads is answering. It runs at once, since the model takes answers in
    // commit order.
    if (!held_ || leader_at_work_) return work();
    waiting_.push_back(std::move(work));
  }
  void RunNext(std::function<void()> work) override {
    if (!held_) return work();
    waiting_.push_back(std::move(work));
  }

  bool anything_waits() const { return !waiting_.empty(); }
  // Runs one waiting task; there must be at least one.
  void RunOne() {
    const auto chosen = waiting_.begin() + dice_->Below(static_cast<int64_t>(waiting_.size()));
    const std::function<void()> work = std::move(*chosen);
    waiting_.erase(chosen);
    leader_at_work_ = true;
    work();
    leader_at_work_ = false;
  }

  // Holds the executor for as long as it lives, then runs all waiting tasks: the engine cannot be destroyed before
  // that.
  class Hold {
   public:
    explicit Hold(SeededExecutor* executor) : executor_(executor) { executor_->held_ = true; }
    ~Hold() {
      while (executor_->anything_waits()) executor_->RunOne();
      executor_->held_ = false;
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    SeededExecutor* const executor_;
  };

 private:
  Dice* const dice_;
  bool held_ = false;
  bool leader_at_work_ = false;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace lapse::simulation
