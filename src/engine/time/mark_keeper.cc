#include "engine/time/mark_keeper.h"

#include <utility>

namespace lapse::engine {

MarkKeeper::MarkKeeper(Persist persist) : persist_(std::move(persist)), thread_([this] { Loop(); }) {}

MarkKeeper::~MarkKeeper() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Status MarkKeeper::Save(const ttl::StoreTimeMark& mark, std::optional<std::chrono::milliseconds> patience) {
  std::unique_lock lock(mutex_);
  wanted_ = mark;
  const uint64_t mine = ++asked_;
  changed_.notify_all();
  const auto done = [&] { return done_ >= mine; };
  if (!patience.has_value()) {
    changed_.wait(lock, done);
  } else if (!changed_.wait_for(lock, *patience, done)) {
    return {Code::kUnavailable, "the disk has not taken the clock's mark yet"};
  }
  return outcome_;
}

void MarkKeeper::Loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || wanted_.has_value(); });
    if (!wanted_.has_value()) return;
    const ttl::StoreTimeMark mark = *std::exchange(wanted_, std::nullopt);
    const uint64_t writing = asked_;
    lock.unlock();
    Status persisted = persist_(mark);
    lock.lock();
    outcome_ = std::move(persisted);
    done_ = writing;
    changed_.notify_all();
  }
}

}  // namespace lapse::engine
