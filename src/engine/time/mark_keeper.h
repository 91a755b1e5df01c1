// Makes the clock's marks durable on a thread of its own, so that a disk that hangs cannot stop time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/status.h"
#include "ttl/store_time.h"

namespace lapse::engine {

// Threads: one at a time may call Save. Owns: its thread.
class MarkKeeper {
 public:
  using Persist = std::function<Status(const ttl::StoreTimeMark&)>;

  explicit MarkKeeper(Persist persist);
  // Waits for a mark that is being written.
  ~MarkKeeper();

  // What came of it; kUnavailable when it is not done within the patience. Then it goes on, and the next one waits for
  // it. nullopt: waits as long as it takes.
  Status Save(const ttl::StoreTimeMark& mark, std::optional<std::chrono::milliseconds> patience);

 private:
  void Loop();

  const Persist persist_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<ttl::StoreTimeMark> wanted_;  // guarded by mutex_: to be written next
  uint64_t asked_ = 0;                        // guarded by mutex_: counts marks that were wanted
  uint64_t done_ = 0;                         // guarded by mutex_: up to here they were written, or failed
  Status outcome_;                            // guarded by mutex_: of the last one
  bool stop_ = false;                         // guarded by mutex_
  std::thread thread_;
};

}  // namespace lapse::engine
