#include "base/thread_priority.h"

#include <sys/resource.h>

namespace lapse {

void YieldToRequests() {
  // A request that arrives is served at once, and the background still keeps up on a machine that is never idle. (The
  // lowest priority would give it a seventieth.)
  constexpr int kNiceness = 10;
  constexpr id_t kThisThread = 0;  // Linux has a niceness for each thread
  if (getpriority(PRIO_PROCESS, kThisThread) >= kNiceness) return;
  // Nobody is ever refused to be modest; were it so, the work would go on as before.
  (void)setpriority(PRIO_PROCESS, kThisThread, kNiceness);
}

}  // namespace lapse
