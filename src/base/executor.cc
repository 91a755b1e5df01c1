#include "base/executor.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace lapse {
namespace {

// Nice levels below the other threads: about a third of their share.
constexpr int kLowSteps = 5;

// Sets the priority of the calling thread. If the kernel refuses, the thread keeps its priority.
void SetPriority(ThreadPriority priority) {
  if (priority == ThreadPriority::kOrdinary) return;
  const auto thread = static_cast<id_t>(gettid());
  setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + kLowSteps);
}

}  // namespace

ThreadPool::ThreadPool(const std::string& name, int threads, ThreadPriority priority) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, priority] {
      SetPriority(priority);
      WorkLoop();
    });
    pthread_setname_np(threads_.back().native_handle(), name.substr(0, 15).c_str());
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void ThreadPool::Run(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void ThreadPool::WorkLoop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // releases what the work captured before taking the lock again
    lock.lock();
  }
}

}  // namespace lapse
