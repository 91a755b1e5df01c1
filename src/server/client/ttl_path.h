// Makes the paths of container reports from what people type.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::server::client {

// `what_if`: a default such as -1, off, seconds or a duration like 30d; empty: none. `horizon`: of a series; empty:
// none. Fails: kInvalidArgument for a default that no container can have, and for an empty name.
Result<std::string> TtlPath(std::string_view database, std::string_view container, std::string_view what_if,
                            std::string_view horizon = "");

// Returns the path of a page of all containers: the first, or the one after what the previous page returned as `next`.
std::string StatsPath(std::string_view after = "");

}  // namespace lapse::server::client
