// Store time: the server's own monotonic time, derived from the machine's calendar and its steady clock. Pure: the
// caller passes in the clocks' readings and stores what must be durable.
//
//  - It follows the wall clock forward and never goes back. When the wall clock steps back, store time continues with
//    the steady clock from where it was.
//  - It does not follow a jump, since a bad clock must not expire data. When the wall clock is ahead by more than the
//    limit, store time is *held*: it advances with the steady clock until Accept, or until the wall clock is within the
//    limit again. Both clocks advance alike, so a hold does not wear off: only a wall clock that is set back ends it.
//  - After a start the length of the downtime is unknown. So a greater limit, measured from the last mark, applies to
//    the first reading, and if that exceeds it, until a reading is within it. A hold survives a restart: then the
//    running limit applies from the start.
//  - In test mode an offset is added to the wall clock, and time can be frozen and moved forward.
//  - It stays within the years 1970 to 9999, whatever the wall clock says.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"

namespace lapse::ttl {

constexpr int64_t kStoreTimeMax_ms = 253'402'300'799'999;  // the last millisecond of the year 9999

struct StoreTimeLimits {
  int64_t jump_max_ms = 3'600'000;                    // while running
  int64_t start_jump_max_ms = 30LL * 24 * 3'600'000;  // since the last mark, at start
};

// What must survive a restart.
struct StoreTimeMark {
  // No answer was given with a time later than the end of this second or, when frozen, later than this.
  int64_t high_water_ms = 0;
  bool test_clock = false;
  int64_t test_offset_ms = 0;
  bool frozen = false;
  bool held = false;  // the wall clock was too far ahead, and has not been accepted

  bool operator==(const StoreTimeMark&) const = default;
};

// Threads: one at a time (the engine's clock has the lock).
class StoreTime {
 public:
  // A new store (no mark) starts at the wall clock, any other at or after the end of the mark's second. The caller must
  // reject a mark of the test clock without test mode, and vice versa.
  StoreTime(StoreTimeLimits limits, std::optional<StoreTimeMark> mark, bool test_clock, int64_t wall_ms,
            int64_t steady_ns);

  // Returns store time for these readings, never less than any earlier result.
  int64_t NowMs(int64_t wall_ms, int64_t steady_ns);

  // The wall clock is ahead by more than the limit, so store time does not follow it.
  bool held() const { return held_; }
  // How far the wall clock was ahead of store time (negative: behind) at the last NowMs. For display.
  int64_t ahead_ms() const { return ahead_ms_; }
  // Follows the wall clock from now on, however far it is ahead. Frozen time stays frozen.
  void Accept(int64_t wall_ms, int64_t steady_ns);

  // Only in test mode; otherwise kForbidden. Going back, or beyond the year 9999, is kInvalidArgument.
  Status Freeze(int64_t wall_ms, int64_t steady_ns);
  // Continues from the frozen value, not from the wall clock.
  Status Resume(int64_t wall_ms, int64_t steady_ns);
  Status Advance(int64_t by_ms, int64_t wall_ms, int64_t steady_ns);
  Status Set(int64_t to_ms, int64_t wall_ms, int64_t steady_ns);
  bool frozen() const { return frozen_; }

  // Returns the state to make durable. high_water_ms is the latest time returned.
  StoreTimeMark Mark() const;

 private:
  int64_t Ticked(int64_t steady_ns) const;
  int64_t Source(int64_t wall_ms) const;
  void Anchor(int64_t now_ms, int64_t steady_ns);
  Status CheckTestClock() const;

  StoreTimeLimits limits_;
  bool test_clock_ = false;
  bool frozen_ = false;
  bool starting_ = false;  // the start limit still applies: no reading since the start was within it
  bool held_ = false;
  int64_t ahead_ms_ = 0;
  int64_t test_offset_ms_ = 0;
  int64_t anchor_ms_ = 0;  // store time at anchor_steady_ns_
  int64_t anchor_steady_ns_ = 0;
  int64_t last_ms_ = 0;  // latest value returned
};

}  // namespace lapse::ttl
