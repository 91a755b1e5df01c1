// The throughput that a create asks for in its headers.
#pragma once

#include "base/status.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// Request units a second; the maximum for autoscale; 0 when none is asked for. Fails: kInvalidArgument.
Result<int> RequestedThroughput(const net::Request& request);

}  // namespace lapse::api::cosmos
