// Runs work that may block. Injected, so that tests and the simulation run everything on the caller's thread, in an
// order chosen by a seed.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lapse {

// Threads: any may call Run.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void Run(std::function<void()> work) = 0;
  // Same as Run, for a task that submits a follow-up. If possible, the current thread runs it after the task, which
  // saves waking another thread.
  virtual void RunNext(std::function<void()> work) { Run(std::move(work)); }
};

// Runs the work before Run returns.
class InlineExecutor final : public Executor {
 public:
  void Run(std::function<void()> work) override { work(); }
};

// Threads with kLow yield the cores to those of the event loops.
enum class ThreadPriority { kOrdinary, kLow };

// A fixed number of threads and one queue.
// Owns: its threads. The destructor runs what is still queued, then joins.
class ThreadPool final : public Executor {
 public:
  ThreadPool(const std::string& name, int threads, ThreadPriority priority = ThreadPriority::kOrdinary);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Run(std::function<void()> work) override;

 private:
  void WorkLoop();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;  // guarded by mutex_
  bool stopping_ = false;                    // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace lapse
