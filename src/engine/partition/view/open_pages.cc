#include "engine/partition/view/open_pages.h"

#include <utility>

namespace lapse::engine {

OpenPages::Page::Page(OpenPages* pages) : pages_(pages), ticket_(pages->Begin()) {}

OpenPages::Page::~Page() {
  pages_->End(ticket_);
}

uint64_t OpenPages::Begin() {
  std::lock_guard lock(mutex_);
  open_.insert(next_ticket_);
  return next_ticket_++;
}

void OpenPages::End(uint64_t ticket) {
  bool any = false;
  {
    std::lock_guard lock(mutex_);
    open_.erase(ticket);
    any = !waiting_.empty();
  }
  if (any) RunDue();
}

void OpenPages::AfterThese(std::function<void()> act) {
  {
    std::lock_guard lock(mutex_);
    waiting_.push_back({next_ticket_, std::move(act)});
  }
  RunDue();
}

void OpenPages::RunDue() {
  std::lock_guard acting(acting_mutex_);
  while (true) {
    std::function<void()> act;
    {
      std::lock_guard lock(mutex_);
      const bool due = !waiting_.empty() && (open_.empty() || *open_.begin() >= waiting_.front().ticket);
      if (!due) return;
      act = std::move(waiting_.front().act);
      waiting_.pop_front();
    }
    act();
  }
}

}  // namespace lapse::engine
