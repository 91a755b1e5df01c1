// Counts the operations of all clients down to the one before which the server crashes.
#pragma once

#include <atomic>
#include <cstdint>

namespace lapse::linearizability {

// Threads: any.
class CrashCountdown {
 public:
  // A crash comes within this many operations, or not at all.
  static constexpr uint64_t kOperationsMost = 300;

  // 0: no crash.
  void Start(uint64_t operations) { left_ = static_cast<int64_t>(operations); }
  // Returns true to exactly one caller, which must crash the server now.
  bool IsNow() { return left_.fetch_sub(1) == 1; }

 private:
  std::atomic<int64_t> left_{0};
};

}  // namespace lapse::linearizability
