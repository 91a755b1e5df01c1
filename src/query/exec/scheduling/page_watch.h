// What a page checks while it works: whether another query wants the turn, whether the client has gone, and whether the
// time is up.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "base/clock.h"
#include "base/status.h"

namespace lapse::query::exec {

// Threads: one. Each thread of a page has a watch of its own.
class PageWatch {
 public:
  // A page ends between two items, so one that works this long on a single item is ended with an error. Clients wait a
  // minute for an answer.
  static constexpr int64_t kStuck_ns = 30'000'000'000;
  // Time during which other queries have the turn does not count, up to this many times the page's own time. Beyond
  // that it counts, because a client is waiting.
  static constexpr int64_t kWithWaiting = 6;

  // Both functions may be empty.
  PageWatch(std::function<bool()> is_abandoned, std::function<void()> let_others,
            const SteadyClock& real = RealSteadyClock())
      : is_abandoned_(std::move(is_abandoned)),
        let_others_(std::move(let_others)),
        real_(real),
        moved_on_ns_(real.RoughNowNs()) {}
  // Makes a watch for another thread of the same page, valid until `ended` is set. It shares the time of the page,
  // which has waited for `waited_ns` so far. Both must outlive it.
  PageWatch(const PageWatch& page, int64_t waited_ns, const std::atomic<bool>* ended, std::function<void()> let_others)
      : is_abandoned_([&page, ended] { return ended->load() || (page.is_abandoned_ && page.is_abandoned_()); }),
        let_others_(std::move(let_others)),
        real_(page.real_),
        moved_on_ns_(page.real_.RoughNowNs()),
        waited_ns_(waited_ns),
        waited_then_ns_(waited_ns),
        steady_(page.steady_),
        begin_ns_(page.begin_ns_),
        time_ns_(page.time_ns_) {}
  PageWatch(const PageWatch&) = delete;
  PageWatch& operator=(const PageWatch&) = delete;

  // Sets the time limit of the page, counted from Begin(). Before Begin() the time is never up.
  void set_time_ns(int64_t time_ns) { time_ns_ = time_ns; }
  void Begin(const SteadyClock& steady) {
    steady_ = &steady;
    begin_ns_ = steady.RoughNowNs();
  }
  bool TimeIsUp() const { return IsUp(time_ns_); }
  // Whether preparations should end, to leave half of the time for the page itself.
  bool HalfIsUp() const { return IsUp(time_ns_ / 2); }

  // How long other queries have had the turn.
  int64_t waited_ns() const { return waited_ns_; }

  // Records that the page has made progress: it took an item, or skipped one.
  void MoveOn() const { moved_on_ = true; }
  // Yields the turn if another query wants it, and checks the client and the progress. Call it every few hundred items
  // or entries. If it fails, the page ends with that error.
  Status Look() const {
    const int64_t before_ns = real_.RoughNowNs();
    if (let_others_) let_others_();
    const int64_t now_ns = real_.RoughNowNs();
    waited_ns_ += now_ns - before_ns;
    if (is_abandoned_ && is_abandoned_()) return {Code::kUnavailable, "nobody waits for the answer"};
    if (std::exchange(moved_on_, false)) {
      moved_on_ns_ = now_ns;
      waited_then_ns_ = waited_ns_;
    }
    if (now_ns - moved_on_ns_ - (waited_ns_ - waited_then_ns_) >= kStuck_ns) {
      return {Code::kTooLarge, "The query takes more than 30 seconds for a single item."};
    }
    return Status::Ok();
  }

 private:
  bool IsUp(int64_t time_ns) const {
    if (steady_ == nullptr) return false;
    const int64_t passed_ns = steady_->RoughNowNs() - begin_ns_;
    return passed_ns - waited_ns_ >= time_ns || passed_ns >= kWithWaiting * time_ns;
  }

  const std::function<bool()> is_abandoned_;
  const std::function<void()> let_others_;
  const SteadyClock& real_;
  // Updated by Look().
  mutable int64_t moved_on_ns_;
  mutable int64_t waited_ns_ = 0;
  mutable int64_t waited_then_ns_ = 0;  // waited_ns_ at the last progress
  mutable bool moved_on_ = false;
  const SteadyClock* steady_ = nullptr;
  int64_t begin_ns_ = 0;
  int64_t time_ns_ = std::numeric_limits<int64_t>::max() / (2 * kWithWaiting);
};

}  // namespace lapse::query::exec
