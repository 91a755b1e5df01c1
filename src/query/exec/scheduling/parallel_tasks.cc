#include "query/exec/scheduling/parallel_tasks.h"

#include <utility>

namespace lapse::query::exec {

ParallelTasks::ParallelTasks(size_t count, Helpers* helpers, const PageWatch& watch, Work work)
    : count_(count), helpers_(helpers), watch_(watch), work_(std::move(work)), done_(count) {}

ParallelTasks::~ParallelTasks() {
  ended_ = true;
  std::unique_lock lock(mutex_);
  closed_ = true;
  if (helping_ == 0) return;
  lock.unlock();
  helpers_->Wait([this] {
    std::unique_lock waiting(mutex_);
    changed_.wait(waiting, [this] { return helping_ == 0; });
  });
}

bool ParallelTasks::Claim(size_t task) {
  std::unique_lock lock(mutex_);
  if (next_ <= task) {
    next_ = task + 1;
    lock.unlock();
    CallHelpers();
    return true;
  }
  while (!done_[task]) {
    const size_t other = TakeNext();
    if (other < count_) {
      lock.unlock();
      CallHelpers();
      lock.lock();
      Run(other, watch_, &lock);
      continue;
    }
    lock.unlock();
    helpers_->Wait([this, task] {
      std::unique_lock waiting(mutex_);
      changed_.wait(waiting, [this, task] { return done_[task]; });
    });
    lock.lock();
  }
  watch_.MoveOn();  // the task is progress, whichever thread ran it
  return false;
}

// Requests as many helpers as there are tasks left. Threads that already help take some of them.
void ParallelTasks::CallHelpers() {
  if (helpers_ == nullptr) return;
  for (bool called = true; called;) {
    {
      std::lock_guard lock(mutex_);
      if (closed_ || helping_ >= count_ - next_) return;
      ++helping_;
    }
    called = helpers_->TryRun([this, waited_ns = watch_.waited_ns()](const std::function<bool()>& let_others) {
      Help(waited_ns, let_others);
    });
    if (called) continue;
    std::lock_guard lock(mutex_);
    --helping_;
  }
}

void ParallelTasks::Help(int64_t waited_ns, const std::function<bool()>& let_others) {
  bool others_wait = false;
  const PageWatch watch(watch_, waited_ns, &ended_, [&] { others_wait |= let_others(); });
  std::unique_lock lock(mutex_);
  // A helper stops if other tasks are waiting for the processor.
  while (!others_wait) {
    const size_t task = TakeNext();
    if (task == count_) break;
    Run(task, watch, &lock);
  }
  --helping_;
  // Notify under the lock: this object may be destroyed as soon as no thread helps.
  changed_.notify_all();
}

size_t ParallelTasks::TakeNext() {
  return closed_ || next_ == count_ ? count_ : next_++;
}

void ParallelTasks::Run(size_t task, const PageWatch& watch, std::unique_lock<std::mutex>* lock) {
  lock->unlock();
  const bool goes_on = work_(task, watch);
  lock->lock();
  done_[task] = true;
  closed_ |= !goes_on;
  changed_.notify_all();
}

}  // namespace lapse::query::exec
