// How many databases and containers an account may have. The service has such limits. Lapse has them only if an
// operator sets them.
#pragma once

#include <cstddef>

namespace lapse::api::cosmos {

// 0: no limit.
struct ResourceLimits {
  size_t resources_max = 0;           // databases and containers together
  size_t sharing_containers_max = 0;  // containers of one database that share its throughput
};

}  // namespace lapse::api::cosmos
