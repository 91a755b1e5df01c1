// Other threads for work that can be divided, as far as they are free.
#pragma once

#include <functional>

namespace lapse {

// Who has none (null) does all of the work itself. Threads: that of the work.
class Helpers {
 public:
  // A part of the work. It calls `let_others` often, which may wait: true when others wanted the processor.
  using Help = std::function<void(const std::function<bool()>& let_others)>;

  virtual ~Helpers() = default;

  // Runs it on another thread, if one is free at this moment. False: it is not run, and nothing waits for that.
  virtual bool TryRun(Help help) = 0;
  // Calls `wait`, which waits for such a part. Meanwhile the processor is for others.
  virtual void Wait(const std::function<void()>& wait) = 0;
};

}  // namespace lapse
