// The commands of `lapse`, the small client for those who run a server.
#pragma once

#include <ostream>

#include "server/client/watch.h"
#include "server/options.h"

namespace lapse::server::client {

// Returns the exit code: 0 done, 1 it failed or the server is not healthy, 2 bad usage.
int RunCommand(int argc, const char* const* argv, const Environment& environment, std::ostream& out, std::ostream& err,
               const Console& console = {});

}  // namespace lapse::server::client
