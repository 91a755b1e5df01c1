#include "base/clock.h"

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
  int64_t NowNs() const override {
    auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
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
