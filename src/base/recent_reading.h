// The latest reading of something that may be slow to read, such as a disk. A caller gets a new reading if it arrives
// soon, and the last one otherwise. No caller waits for a hung disk.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "base/executor.h"

namespace lapse {

// How readings are taken.
struct ReadingOptions {
  Executor* executor = nullptr;  // where readings run; a hung one blocks one of its threads
  const SteadyClock* steady = &RealSteadyClock();
  // Callers stop waiting for a reading that has been in flight this long.
  int64_t patience_ms = 250;
};

// Threads: any. Must outlive its work on the executor, of which at most one piece is in flight.
template <typename T>
class RecentReading {
 public:
  struct Latest {
    std::shared_ptr<const T> value;  // null: no reading has completed yet
    int64_t age_ms = 0;              // of the value; 0: it was read for this call
    int64_t waiting_ms = 0;          // how long a newer reading has been in flight; 0: it has completed
  };

  RecentReading(std::function<T()> read, const ReadingOptions& options) : read_(std::move(read)), options_(options) {}

  Latest Get() {
    std::unique_lock lock(mutex_);
    const uint64_t finished_before = finished_;
    if (!under_way_) {
      under_way_ = true;
      started_ms_ = NowMs();
      lock.unlock();
      options_.executor->Run([this] { Read(); });
      lock.lock();
    }
    const auto has_come = [&] { return finished_ != finished_before; };
    const int64_t patience_ms = started_ms_ + options_.patience_ms - NowMs();
    if (patience_ms > 0) changed_.wait_for(lock, std::chrono::milliseconds(patience_ms), has_come);
    Latest latest;
    latest.value = value_;
    if (has_come()) return latest;
    const int64_t now_ms = NowMs();
    if (value_ != nullptr) latest.age_ms = std::max<int64_t>(now_ms - value_ms_, 0);
    latest.waiting_ms = std::max<int64_t>(now_ms - started_ms_, 1);
    return latest;
  }

 private:
  int64_t NowMs() const { return options_.steady->NowNs() / 1'000'000; }

  void Read() {
    auto value = std::make_shared<const T>(read_());
    {
      std::lock_guard lock(mutex_);
      value_ = std::move(value);
      value_ms_ = started_ms_;
      under_way_ = false;
      ++finished_;
    }
    changed_.notify_all();
  }

  const std::function<T()> read_;
  const ReadingOptions options_;

  std::mutex mutex_;  // not held while reading
  std::condition_variable changed_;
  std::shared_ptr<const T> value_;  // guarded by mutex_, like everything below
  int64_t value_ms_ = 0;            // start of the reading that returned it
  int64_t started_ms_ = 0;          // start of the last reading
  bool under_way_ = false;
  uint64_t finished_ = 0;  // completed readings
};

}  // namespace lapse
