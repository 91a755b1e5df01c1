// Lends free threads to work that can be divided.
#pragma once

#include <functional>

namespace lapse {

// A caller without helpers (null) does all of its work itself.
// Threads: that of the work.
class Helpers {
 public:
  // A part of the work. It calls `let_others` often, which may block to yield the processor and returns true if it did.
  using Help = std::function<void(const std::function<bool()>& let_others)>;

  virtual ~Helpers() = default;

  // Runs `help` on another thread. Returns false, without running or queueing it, if no thread is free right now.
  virtual bool TryRun(Help help) = 0;
  // Calls `wait`, which blocks until a helper is done. Yields the processor meanwhile.
  virtual void Wait(const std::function<void()>& wait) = 0;
};

}  // namespace lapse
