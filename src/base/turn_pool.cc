#include "base/turn_pool.h"

#include <algorithm>
#include <utility>

namespace lapse {
namespace {

void Do(TurnPool::PutOff* put_off) {
  std::vector<std::function<void()>> afterwards;
  for (const TurnPool::Last& one : *put_off) {
    if (std::function<void()> after = one(); after) afterwards.push_back(std::move(after));
  }
  put_off->clear();
  for (const std::function<void()>& after : afterwards) after();
}

}  // namespace

TurnPool::TurnPool(const std::string& name, size_t turns, size_t threads_max, const SteadyClock& steady)
    : steady_(steady), threads_max_(threads_max), free_(turns), threads_(name, threads_max) {}

void TurnPool::Run(Work work) {
  {
    std::lock_guard lock(mutex_);
    if (free_ == 0 || begun_ >= threads_max_) {
      fresh_.push_back(std::move(work));
      ++waiting_;
      return;
    }
    --free_;
    ++begun_;
  }
  StartThread(std::move(work));
}

bool TurnPool::TryRun(Work work) {
  {
    std::lock_guard lock(mutex_);
    if (free_ == 0 || begun_ >= threads_max_) return false;
    --free_;
    ++begun_;
  }
  StartThread(std::move(work));
  return true;
}

void TurnPool::StartThread(Work work) {
  threads_.Run([this, work = std::move(work)]() mutable { Serve(std::move(work)); });
}

void TurnPool::Serve(Work work) {
  PutOff put_off;
  for (std::optional<Work> next(std::move(work)); next.has_value();) {
    {
      Turn turn(this, &put_off);
      (*next)(turn);
    }
    next.reset();  // destroy what it captured before another task runs
    std::lock_guard lock(mutex_);
    next = PassOn(true);
    if (next.has_value()) continue;
    if (free_ > 0 && !fresh_.empty()) {
      // A task was waiting for a thread, and this one is free.
      --free_;
      --waiting_;
      next = std::move(fresh_.front());
      fresh_.pop_front();
    } else {
      --begun_;
    }
  }
  Do(&put_off);
}

std::optional<TurnPool::Work> TurnPool::PassOn(bool may_begin) {
  const bool fresh = may_begin && !fresh_.empty();
  if (!fresh && long_.empty()) {
    ++free_;
    return std::nullopt;
  }
  --waiting_;
  const bool to_long = !fresh || (long_next_ && !long_.empty());
  long_next_ = !to_long;
  if (!to_long) {
    std::optional<Work> next(std::move(fresh_.front()));
    fresh_.pop_front();
    return next;
  }
  Waiter* const next = long_.front();
  long_.pop_front();
  next->granted = true;
  // Under the lock, because the waiter disappears as soon as it sees its turn.
  next->wake.notify_one();
  return std::nullopt;
}

bool TurnPool::Turn::LetOthers() {
  const bool others_wait = pool_->waiting_.load(std::memory_order_relaxed) > 0;
  if (!others_wait && put_off_->empty()) return false;
  const int64_t ran_ns = pool_->steady_.NowNs() - since_ns_;
  if (!others_wait || ran_ns >= kPutOff_ns) Do(put_off_);
  if (!others_wait || ran_ns < kSlice_ns) return false;
  std::unique_lock lock(pool_->mutex_);
  // A new task needs another thread.
  const bool may_begin = pool_->begun_ < pool_->threads_max_;
  if (pool_->long_.empty() && (!may_begin || pool_->fresh_.empty())) return false;
  std::optional<Work> next = pool_->PassOn(may_begin);
  Waiter self;
  pool_->long_.push_back(&self);
  ++pool_->waiting_;
  if (next.has_value()) {
    ++pool_->begun_;
    lock.unlock();
    pool_->StartThread(*std::move(next));
    lock.lock();
  }
  self.wake.wait(lock, [&self] { return self.granted; });
  since_ns_ = pool_->steady_.NowNs();
  return true;
}

void TurnPool::Turn::DoSoon(Last last) {
  put_off_->push_back(std::move(last));
  const size_t waiting = pool_->waiting_.load(std::memory_order_relaxed);
  if (put_off_->size() >= std::min(kPutOffMax, waiting)) Do(put_off_);
}

bool TurnPool::Turn::TryRun(Help help) {
  return pool_->TryRun([help = std::move(help)](Turn& turn) { help([&turn] { return turn.LetOthers(); }); });
}

void TurnPool::Turn::Wait(const std::function<void()>& wait) {
  Do(put_off_);
  std::unique_lock lock(pool_->mutex_);
  std::optional<Work> next = pool_->PassOn(pool_->begun_ < pool_->threads_max_);
  if (next.has_value()) ++pool_->begun_;
  lock.unlock();
  if (next.has_value()) pool_->StartThread(*std::move(next));
  wait();
  lock.lock();
  if (pool_->free_ > 0) {
    --pool_->free_;
  } else {
    Waiter self;
    pool_->long_.push_back(&self);
    ++pool_->waiting_;
    self.wake.wait(lock, [&self] { return self.granted; });
  }
  since_ns_ = pool_->steady_.NowNs();
}

}  // namespace lapse
