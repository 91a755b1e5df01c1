// The two sources of real time, injected so that tests can move them. Nothing else in the project reads the machine's
// clocks. Store time, the monotone and durable time that expiry is decided by, is made from these in `ttl/` and
// `engine/`.
#pragma once

#include <atomic>
#include <cstdint>

namespace lapse {

// The machine's calendar: may step back, may be wrong. Threads: any.
class WallClock {
 public:
  virtual ~WallClock() = default;
  virtual int64_t NowMs() const = 0;  // Unix time
};

// Never steps back; its zero means nothing. Threads: any.
class SteadyClock {
 public:
  virtual ~SteadyClock() = default;
  virtual int64_t NowNs() const = 0;
  // For whoever looks at it all the time: a fraction of the cost, and some milliseconds behind. Its zero is another
  // one, so it is compared with itself alone.
  virtual int64_t RoughNowNs() const { return NowNs(); }
};

const WallClock& RealWallClock();
const SteadyClock& RealSteadyClock();

// Both clocks for tests: stand still until moved.
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
