// The commands of `lapse`, the small client for operators of a server.
#pragma once

#include <ostream>

#include "server/client/watch.h"
#include "server/options.h"

namespace lapse::server::client {

// Returns the exit code: 0 for success, 1 for a failure or an unhealthy server, 2 for bad usage.
int RunCommand(int argc, const char* const* argv, const Environment& environment, std::ostream& out, std::ostream& err,
               const Console& console = {});

}  // namespace lapse::server::client
