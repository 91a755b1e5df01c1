#include "base/clock.h"

#include <time.h>

#include <chrono>

namespace lapse {
namespace {

class SystemWallClock final : public WallClock {
 public:
  int64_t NowMs() const override {
    auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
  }
};

class SystemSteadyClock final : public SteadyClock {
 public:
  // Unlike std::chrono::steady_clock, this clock keeps running while the machine sleeps. A laptop waking up after a
  // night must not look as if its calendar had jumped.
  int64_t NowNs() const override { return Read(CLOCK_BOOTTIME); }
  int64_t RoughNowNs() const override { return Read(CLOCK_MONOTONIC_COARSE); }

 private:
  static int64_t Read(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  }
};

}  // namespace

const WallClock& RealWallClock() {
  static const SystemWallClock clock;
  return clock;
}

const SteadyClock& RealSteadyClock() {
  static const SystemSteadyClock clock;
  return clock;
}

}  // namespace lapse
