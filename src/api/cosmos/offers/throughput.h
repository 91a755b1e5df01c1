// The throughput that a client asks for: in the headers of a create, in the body of an offer.
#pragma once

#include <string_view>

#include "base/status.h"
#include "engine/records/definitions/throughput.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// What a create asks for. Fails: kInvalidArgument.
Result<engine::Throughput> RequestedThroughput(const net::Request& request);

// What an offer (BSON) that replaces one with `current` asks for: its autoscale settings when it has them, its
// throughput otherwise. With a header that asks to change from one to the other, what that makes of `current` unless
// the offer says more. Fails: kInvalidArgument.
Result<engine::Throughput> ReplacedThroughput(const net::Request& request, std::string_view offer,
                                              const engine::Throughput& current);

}  // namespace lapse::api::cosmos
