// What a page does every now and then while it works: it lets others run, asks whether anybody still waits for it, and
// looks at its time.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/status.h"

namespace lapse::query::exec {

// Threads: one.
class PageWatch {
 public:
  // A page ends between two items. One that has come to no such end after so long never may.
  static constexpr int64_t kStuck_ns = 60'000'000'000;

  // Both functions may be empty.
  PageWatch(std::function<bool()> is_abandoned, std::function<void()> let_others,
            const SteadyClock& real = RealSteadyClock())
      : is_abandoned_(std::move(is_abandoned)),
        let_others_(std::move(let_others)),
        real_(real),
        made_ns_(real.NowNs()) {}

  // So much time it has from Begin on. Before that, its time is never up.
  void set_time_ns(int64_t time_ns) { time_ns_ = time_ns; }
  void Begin(const SteadyClock& steady) {
    steady_ = &steady;
    begin_ns_ = steady.NowNs();
  }
  bool TimeIsUp() const { return steady_ != nullptr && steady_->NowNs() - begin_ns_ >= time_ns_; }
  // What prepares the page should come to an end: half of the time is left for the page itself.
  bool HalfIsUp() const { return steady_ != nullptr && steady_->NowNs() - begin_ns_ >= time_ns_ / 2; }
  // When it is up, by that clock.
  std::optional<int64_t> ends_ns() const {
    return steady_ == nullptr ? std::nullopt : std::optional<int64_t>(begin_ns_ + time_ns_);
  }

  // To be called often: every few hundred items or entries. Not ok: the page ends with this.
  Status Look() const {
    if (let_others_) let_others_();
    if (is_abandoned_ && is_abandoned_()) return {Code::kUnavailable, "nobody waits for the answer"};
    if (real_.NowNs() - made_ns_ >= kStuck_ns) {
      return {Code::kTooLarge, "The query takes more than a minute for a single item."};
    }
    return Status::Ok();
  }

 private:
  const std::function<bool()> is_abandoned_;
  const std::function<void()> let_others_;
  const SteadyClock& real_;
  const int64_t made_ns_;
  const SteadyClock* steady_ = nullptr;
  int64_t begin_ns_ = 0;
  int64_t time_ns_ = std::numeric_limits<int64_t>::max() / 2;
};

}  // namespace lapse::query::exec
