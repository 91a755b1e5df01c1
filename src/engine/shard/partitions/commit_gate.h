// Admits many commits of a container at once, or one change of its policy alone.
#pragma once

#include <condition_variable>
#include <mutex>

namespace lapse::engine {

// Only threads that may wait for the disk pass the gate; readers never do. Threads: any.
class CommitGate {
 public:
  // Held by a commit. Waits for a policy change that is under way.
  class Pass {
   public:
    explicit Pass(CommitGate* gate) : gate_(gate) {
      std::unique_lock lock(gate_->mutex_);
      gate_->changed_.wait(lock, [this] { return !gate_->closed_; });
      ++gate_->passing_;
    }
    ~Pass() {
      std::lock_guard lock(gate_->mutex_);
      if (--gate_->passing_ == 0) gate_->changed_.notify_all();
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    CommitGate* const gate_;
  };

  // Held by a policy change. Waits until no commit is under way. One at a time.
  class Closed {
   public:
    explicit Closed(CommitGate* gate) : gate_(gate) {
      std::unique_lock lock(gate_->mutex_);
      gate_->closed_ = true;
      gate_->changed_.wait(lock, [this] { return gate_->passing_ == 0; });
    }
    ~Closed() {
      std::lock_guard lock(gate_->mutex_);
      gate_->closed_ = false;
      gate_->changed_.notify_all();
    }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    CommitGate* const gate_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int passing_ = 0;      // guarded by mutex_
  bool closed_ = false;  // guarded by mutex_
};

}  // namespace lapse::engine
