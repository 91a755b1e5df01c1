// Makes the clock's marks durable on a thread of its own, so that a hanging disk cannot stop time.
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
  // Waits for a write in progress.
  ~MarkKeeper();

  // Saves the mark and returns the result. Fails with kUnavailable if that takes longer than `patience` (nullopt: waits
  // for as long as it takes). The write then continues, and the next Save waits for it.
  Status Save(const ttl::StoreTimeMark& mark, std::optional<std::chrono::milliseconds> patience);

 private:
  void Loop();

  const Persist persist_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<ttl::StoreTimeMark> wanted_;  // guarded by mutex_; to be written next
  uint64_t asked_ = 0;                        // guarded by mutex_; marks requested
  uint64_t done_ = 0;                         // guarded by mutex_; marks written or failed
  Status outcome_;                            // guarded by mutex_; of the last write
  bool stop_ = false;                         // guarded by mutex_
  std::thread thread_;
};

}  // namespace lapse::engine
