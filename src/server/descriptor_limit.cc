#include "server/descriptor_limit.h"

#include <sys/resource.h>

#include <cerrno>
#include <cstring>

#include "base/log.h"

namespace lapse::server {

void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    Log(LogLevel::kWarn, "descriptor_limit_kept", {{"limit", before}, {"error", std::strerror(errno)}});
    return;
  }
  Log(LogLevel::kDebug, "descriptor_limit_raised", {{"from", before}, {"to", limit.rlim_cur}});
}

}  // namespace lapse::server
