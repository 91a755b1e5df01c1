// The addresses of reports about containers, from what people type.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::server::client {

// `what_if`: a default as -1, off, seconds or a duration such as 30d; empty: no question. `horizon`: of a series;
// empty: none. Fails: kInvalidArgument for a default that no container can have, and for an empty name.
Result<std::string> TtlPath(std::string_view database, std::string_view container, std::string_view what_if,
                            std::string_view horizon = "");

// A page of all containers: the first, or the one behind what the page before named as `next`.
std::string StatsPath(std::string_view after = "");

}  // namespace lapse::server::client
