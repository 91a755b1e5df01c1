#include "base/turns.h"

namespace lapse {

Turns::Turn::Turn(Turns* turns) : turns_(turns) {
  if (turns_ == nullptr) return;
  turns_->Take(&turns_->fresh_);
  since_ns_ = turns_->steady_.NowNs();
}

Turns::Turn::~Turn() {
  if (turns_ != nullptr) turns_->GiveBack();
}

void Turns::Turn::LetOthers() {
  if (turns_ == nullptr || turns_->waiting() == 0) return;
  if (turns_->steady_.NowNs() - since_ns_ < kSlice_ns) return;
  turns_->GiveBack();
  turns_->Take(&turns_->long_);
  since_ns_ = turns_->steady_.NowNs();
}

void Turns::Take(Queue* queue) {
  std::unique_lock lock(mutex_);
  Waiter self;
  queue->push_back(&self);
  ++waiting_;
  Grant();
  self.granted_wake.wait(lock, [&self] { return self.granted; });
}

void Turns::GiveBack() {
  std::lock_guard lock(mutex_);
  ++free_;
  Grant();
}

void Turns::Grant() {
  while (free_ > 0 && !(fresh_.empty() && long_.empty())) {
    Queue& queue = fresh_.empty() || (long_next_ && !long_.empty()) ? long_ : fresh_;
    long_next_ = &queue == &fresh_;
    Waiter* const next = queue.front();
    queue.pop_front();
    --waiting_;
    --free_;
    next->granted = true;
    // Under the lock: the waiter is gone as soon as it sees its turn.
    next->granted_wake.notify_one();
  }
}

}  // namespace lapse
