// For tests: helpers that run their part at once on the calling thread, so that work is divided on a single thread.
#pragma once

#include <functional>

#include "base/helpers.h"

namespace lapse {

class TestHelpers : public Helpers {
 public:
  bool TryRun(Help help) override {
    ++asked_;
    if (busy_) return false;
    help([] { return false; });
    return true;
  }
  void Wait(const std::function<void()>& wait) override { wait(); }

  void set_busy(bool busy) { busy_ = busy; }
  int asked() const { return asked_; }

 private:
  bool busy_ = false;
  int asked_ = 0;
};

}  // namespace lapse
