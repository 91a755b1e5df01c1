#include "base/thread_priority.h"

#include <sys/resource.h>

namespace lapse {

void YieldToRequests() {
  // Requests are served at once, and background work still keeps up on a machine that is never idle. The lowest
  // priority would leave it only a seventieth.
  constexpr int kNiceness = 10;
  constexpr id_t kThisThread = 0;  // Linux keeps a niceness per thread
  if (getpriority(PRIO_PROCESS, kThisThread) >= kNiceness) return;
  // Raising one's own niceness is always allowed. If it failed, the work would merely keep its priority.
  (void)setpriority(PRIO_PROCESS, kThisThread, kNiceness);
}

}  // namespace lapse
