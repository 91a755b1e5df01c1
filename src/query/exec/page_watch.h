// What a page does every now and then while it works: it lets others run, and asks whether anybody still waits for it.
#pragma once

#include <functional>
#include <utility>

#include "base/status.h"

namespace lapse::query::exec {

// Threads: one.
class PageWatch {
 public:
  // Both may be empty.
  PageWatch(std::function<bool()> is_abandoned, std::function<void()> let_others)
      : is_abandoned_(std::move(is_abandoned)), let_others_(std::move(let_others)) {}

  // To be called often: every few hundred items or entries. Not ok: the page ends with this.
  Status Look() const {
    if (let_others_) let_others_();
    if (is_abandoned_ && is_abandoned_()) return {Code::kUnavailable, "nobody waits for the answer"};
    return Status::Ok();
  }

 private:
  const std::function<bool()> is_abandoned_;
  const std::function<void()> let_others_;
};

}  // namespace lapse::query::exec
