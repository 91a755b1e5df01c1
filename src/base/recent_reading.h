// The latest reading of something that can be slow to read, such as a disk. Whoever asks gets a new reading when it
// comes soon, and the last one otherwise: nobody waits for a disk that hangs.
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
  Executor* executor = nullptr;  // where they run; a reading that hangs keeps one of its threads
  const SteadyClock* steady = &RealSteadyClock();
  // A reading that is under way for longer is waited for no more.
  int64_t patience_ms = 250;
};

// Threads: any. Must outlive the work it has put on the executor, of which there is one piece at a time.
template <typename T>
class RecentReading {
 public:
  struct Latest {
    std::shared_ptr<const T> value;  // null: no reading has ever come to its end
    int64_t age_ms = 0;              // of the value; 0: it was read for this question
    int64_t waiting_ms = 0;          // for how long a newer one is being waited for; 0: it has come
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

  std::mutex mutex_;  // never held while reading
  std::condition_variable changed_;
  std::shared_ptr<const T> value_;  // guarded by mutex_, as is all below
  int64_t value_ms_ = 0;            // when its reading began
  int64_t started_ms_ = 0;          // when the last reading began
  bool under_way_ = false;
  uint64_t finished_ = 0;  // readings that have come to their end
};

}  // namespace lapse
