#include "ttl/store_time.h"

#include <algorithm>

#include "ttl/saturating.h"

namespace lapse::ttl {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;

int64_t Clamp(int64_t time_ms) {
  return std::clamp<int64_t>(time_ms, 0, kStoreTimeMax_ms);
}

int64_t EndOfSecond(int64_t time_ms) {
  return time_ms / kMsPerSecond * kMsPerSecond + kMsPerSecond - 1;
}

}  // namespace

StoreTime::StoreTime(StoreTimeLimits limits, std::optional<StoreTimeMark> mark, bool test_clock, int64_t wall_ms,
                     int64_t steady_ns)
    : limits_(limits), test_clock_(test_clock) {
  if (!mark) {
    Anchor(Clamp(wall_ms), steady_ns);
    return;
  }
  if (test_clock_) {
    test_offset_ms_ = mark->test_offset_ms;
    frozen_ = mark->frozen;
  }
  int64_t high_water_ms = Clamp(mark->high_water_ms);
  if (frozen_) {
    Anchor(high_water_ms, steady_ns);
  } else {
    // Answers were given up to the end of the mark's second. Store time stands still until that second is certainly
    // over. Otherwise every restart would push it ahead by a fraction of a second, for good.
    Anchor(high_water_ms / kMsPerSecond * kMsPerSecond, steady_ns);
    last_ms_ = EndOfSecond(high_water_ms);
  }
  // A restart does not make a jump acceptable that was held before.
  starting_ = !mark->held;
  NowMs(wall_ms, steady_ns);
}

int64_t StoreTime::NowMs(int64_t wall_ms, int64_t steady_ns) {
  if (frozen_) return last_ms_;
  int64_t ticked_ms = Ticked(steady_ns);
  int64_t source_ms = Source(wall_ms);
  ahead_ms_ = source_ms - ticked_ms;
  held_ = ahead_ms_ > (starting_ ? limits_.start_jump_max_ms : limits_.jump_max_ms);
  if (!held_) {
    starting_ = false;
    if (ahead_ms_ > 0) {
      Anchor(source_ms, steady_ns);
      ahead_ms_ = 0;
      return last_ms_;
    }
  }
  last_ms_ = ticked_ms;
  return last_ms_;
}

void StoreTime::Accept(int64_t wall_ms, int64_t steady_ns) {
  if (frozen_) return;
  Anchor(std::max(Ticked(steady_ns), Source(wall_ms)), steady_ns);
  starting_ = false;
  held_ = false;
  ahead_ms_ = Source(wall_ms) - last_ms_;
}

Status StoreTime::Freeze(int64_t wall_ms, int64_t steady_ns) {
  LAPSE_RETURN_IF_ERROR(CheckTestClock());
  NowMs(wall_ms, steady_ns);
  frozen_ = true;
  held_ = false;
  ahead_ms_ = 0;
  return Status::Ok();
}

Status StoreTime::Resume(int64_t wall_ms, int64_t steady_ns) {
  LAPSE_RETURN_IF_ERROR(CheckTestClock());
  if (!frozen_) return Status::Ok();
  frozen_ = false;
  starting_ = false;
  Anchor(last_ms_, steady_ns);
  test_offset_ms_ = last_ms_ - Clamp(wall_ms);
  return Status::Ok();
}

Status StoreTime::Advance(int64_t by_ms, int64_t wall_ms, int64_t steady_ns) {
  LAPSE_RETURN_IF_ERROR(CheckTestClock());
  if (by_ms < 0) return Status(Code::kInvalidArgument, "store time does not go back");
  int64_t now_ms = NowMs(wall_ms, steady_ns);
  if (by_ms > kStoreTimeMax_ms - now_ms) return Status(Code::kInvalidArgument, "store time ends with the year 9999");
  // Moves both, so that their difference stays the same.
  Anchor(now_ms + by_ms, steady_ns);
  test_offset_ms_ = SaturatingAdd(test_offset_ms_, by_ms);
  return Status::Ok();
}

Status StoreTime::Set(int64_t to_ms, int64_t wall_ms, int64_t steady_ns) {
  LAPSE_RETURN_IF_ERROR(CheckTestClock());
  int64_t now_ms = NowMs(wall_ms, steady_ns);
  // A client that was given this second may set it.
  if (to_ms < now_ms && to_ms / kMsPerSecond == now_ms / kMsPerSecond) return Status::Ok();
  if (to_ms < now_ms) return Status(Code::kInvalidArgument, "store time does not go back");
  return Advance(to_ms - now_ms, wall_ms, steady_ns);
}

StoreTimeMark StoreTime::Mark() const {
  return {last_ms_, test_clock_, test_offset_ms_, frozen_, held_};
}

// Returns store time advanced by the steady clock alone. It counts in the steady clock's own milliseconds, so that
// another thread that adds them to an earlier time gets the same result.
int64_t StoreTime::Ticked(int64_t steady_ns) const {
  int64_t elapsed_ms = steady_ns / kNsPerMs - anchor_steady_ns_ / kNsPerMs;
  return std::max(last_ms_, Clamp(anchor_ms_ + elapsed_ms));
}

int64_t StoreTime::Source(int64_t wall_ms) const {
  return Clamp(SaturatingAdd(wall_ms, test_offset_ms_));
}

void StoreTime::Anchor(int64_t now_ms, int64_t steady_ns) {
  anchor_ms_ = now_ms;
  anchor_steady_ns_ = steady_ns;
  last_ms_ = now_ms;
}

Status StoreTime::CheckTestClock() const {
  if (test_clock_) return Status::Ok();
  return Status(Code::kForbidden, "the server was started without the test clock");
}

}  // namespace lapse::ttl
