// The two sources of real time, injected so that tests can control them. Nothing else in the project reads the
// machine's clocks. `ttl/` and `engine/` derive store time from them: the monotonic, durable time that decides expiry.
#pragma once

#include <atomic>
#include <cstdint>

namespace lapse {

// The machine's calendar clock. May step back or be wrong. Threads: any.
class WallClock {
 public:
  virtual ~WallClock() = default;
  virtual int64_t NowMs() const = 0;  // Unix time
};

// A clock that never steps back, with an arbitrary zero. Threads: any.
class SteadyClock {
 public:
  virtual ~SteadyClock() = default;
  virtual int64_t NowNs() const = 0;
  // A much cheaper reading, some milliseconds behind, for callers that poll. Its zero differs from that of NowNs, so
  // compare rough readings only with each other.
  virtual int64_t RoughNowNs() const { return NowNs(); }
};

const WallClock& RealWallClock();
const SteadyClock& RealSteadyClock();

// Clocks for tests, which stand still until moved.
class ManualWallClock : public WallClock {
 public:
  explicit ManualWallClock(int64_t now_ms) : now_ms_(now_ms) {}
  int64_t NowMs() const override { return now_ms_.load(); }
  void Set(int64_t now_ms) { now_ms_.store(now_ms); }
  void Advance(int64_t ms) { now_ms_.fetch_add(ms); }

 private:
  std::atomic<int64_t> now_ms_;
};

class ManualSteadyClock : public SteadyClock {
 public:
  int64_t NowNs() const override { return now_ns_.load(); }
  void AdvanceMs(int64_t ms) { now_ns_.fetch_add(ms * 1'000'000); }

 private:
  std::atomic<int64_t> now_ns_{0};
};

}  // namespace lapse
