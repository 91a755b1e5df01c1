// The throughput that a client requests: in the headers of a create, or in the body of an offer.
#pragma once

#include <string_view>

#include "base/status.h"
#include "engine/records/definitions/throughput.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// Returns what a create requests. Fails: kInvalidArgument.
Result<engine::Throughput> RequestedThroughput(const net::Request& request);

// Returns what an offer (BSON) that replaces one with `current` requests: its autoscale settings if it has them, else
// its throughput. A header may ask to switch between the two. Then the result is `current`, converted, unless the offer
// says more. Fails: kInvalidArgument.
Result<engine::Throughput> ReplacedThroughput(const net::Request& request, std::string_view offer,
                                              const engine::Throughput& current);

}  // namespace lapse::api::cosmos
