// Passes connections with a ready answer from other threads to the loop. Outlives the loop if answers do.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace lapse::net {

class Connection;

// Threads: any may Push; the loop's does the rest.
class Mailbox {
 public:
  using Letters = std::vector<std::shared_ptr<Connection>>;

  // `wake` makes the loop call TakeAll soon. It is called from any thread, also after Close.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Has no effect after Close. If it returns true, call Wake, either at once or after further pushes.
  [[nodiscard]] bool Push(std::shared_ptr<Connection> connection) {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    letters_.push_back(std::move(connection));
    return letters_.size() == 1;
  }
  // Not under the lock: the loop wakes at once and would have to wait for it.
  void Wake() const { wake_(); }

  // Swaps with `letters`, which must be empty, so that both lists keep their memory.
  void TakeAll(Letters* letters) {
    std::lock_guard lock(mutex_);
    letters_.swap(*letters);
  }

  void Close() {
    Letters dropped;
    std::lock_guard lock(mutex_);
    closed_ = true;
    letters_.swap(dropped);
  }

 private:
  const std::function<void()> wake_;
  std::mutex mutex_;
  Letters letters_;      // guarded by mutex_
  bool closed_ = false;  // guarded by mutex_
};

}  // namespace lapse::net
