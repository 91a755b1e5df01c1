#include "base/elastic_pool.h"

#include <pthread.h>

#include <chrono>
#include <thread>
#include <utility>

namespace lapse {
namespace {

constexpr std::chrono::seconds kIdleMax{5};
constexpr size_t kThreadsKept = 2;

thread_local const ElasticPool* pool_of_thread = nullptr;
thread_local std::function<void()> next_of_thread;

}  // namespace

ElasticPool::ElasticPool(const std::string& name, size_t threads_max)
    : name_(name.substr(0, 15)), threads_max_(threads_max) {}

ElasticPool::~ElasticPool() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  wake_.notify_all();
  ended_.wait(lock, [this] { return threads_ == 0; });
}

size_t ElasticPool::threads() const {
  std::lock_guard lock(mutex_);
  return threads_;
}

void ElasticPool::Run(std::function<void()> work) {
  std::lock_guard lock(mutex_);
  queue_.push_back(std::move(work));
  // Idle threads may already have been woken for earlier work.
  if (idle_ < queue_.size() && threads_ < threads_max_) {
    StartThread();
  } else {
    wake_.notify_one();
  }
}

void ElasticPool::RunNext(std::function<void()> work) {
  if (pool_of_thread != this || next_of_thread != nullptr) return Run(std::move(work));
  next_of_thread = std::move(work);
}

void ElasticPool::StartThread() {
  ++threads_;
  std::thread thread([this] { WorkLoop(); });
  pthread_setname_np(thread.native_handle(), name_.c_str());
  thread.detach();
}

void ElasticPool::WorkLoop() {
  pool_of_thread = this;
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return stopping_ || !queue_.empty(); };
  while (true) {
    ++idle_;
    const bool woken = wake_.wait_for(lock, kIdleMax, has_work);
    --idle_;
    if (queue_.empty()) {
      const bool spare = !woken && threads_ > kThreadsKept;
      if (!stopping_ && !spare) continue;
      if (--threads_ == 0) ended_.notify_all();
      return;
    }
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    while (work != nullptr) {
      work();
      work = std::exchange(next_of_thread, nullptr);
    }
    lock.lock();
  }
}

}  // namespace lapse
