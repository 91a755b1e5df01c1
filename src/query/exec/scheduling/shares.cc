#include "query/exec/scheduling/shares.h"

#include <utility>

namespace lapse::query::exec {

Shares::Shares(size_t count, Helpers* helpers, const PageWatch& watch, Work work)
    : count_(count), helpers_(helpers), watch_(watch), work_(std::move(work)), done_(count) {}

Shares::~Shares() {
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

bool Shares::IsMine(size_t share) {
  std::unique_lock lock(mutex_);
  if (next_ <= share) {
    next_ = share + 1;
    lock.unlock();
    CallHelpers();
    return true;
  }
  while (!done_[share]) {
    const size_t other = BeginNext();
    if (other < count_) {
      lock.unlock();
      CallHelpers();
      lock.lock();
      Do(other, watch_, &lock);
      continue;
    }
    lock.unlock();
    helpers_->Wait([this, share] {
      std::unique_lock waiting(mutex_);
      changed_.wait(waiting, [this, share] { return done_[share]; });
    });
    lock.lock();
  }
  watch_.MoveOn();  // with what others have done
  return false;
}

// As many as there are shares left. Those that help already take some of them.
void Shares::CallHelpers() {
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

void Shares::Help(int64_t waited_ns, const std::function<bool()>& let_others) {
  bool others_wait = false;
  const PageWatch watch(watch_, waited_ns, &ended_, [&] { others_wait |= let_others(); });
  std::unique_lock lock(mutex_);
  // Who helps stands back where others want to work.
  while (!others_wait) {
    const size_t share = BeginNext();
    if (share == count_) break;
    Do(share, watch, &lock);
  }
  --helping_;
  // Under the lock: all of this may be gone as soon as nobody helps.
  changed_.notify_all();
}

size_t Shares::BeginNext() {
  return closed_ || next_ == count_ ? count_ : next_++;
}

void Shares::Do(size_t share, const PageWatch& watch, std::unique_lock<std::mutex>* lock) {
  lock->unlock();
  const bool goes_on = work_(share, watch);
  lock->lock();
  done_[share] = true;
  closed_ |= !goes_on;
  changed_.notify_all();
}

}  // namespace lapse::query::exec
