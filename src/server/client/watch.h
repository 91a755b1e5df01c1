// `lapse watch`: shows the numbers of containers repeatedly. A terminal is redrawn each time. Any other output gets a
// line for each container.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "server/client/session.h"

namespace lapse::server::client {

// The program's environment apart from its streams.
struct Console {
  bool is_terminal = false;                   // whether the output is a terminal
  std::function<void(int64_t ms)> wait = {};  // empty: does not wait (tests)
};

struct WatchOptions {
  std::string path;        // of the report
  bool is_single = false;  // whether it is about one container
  int64_t interval_ms = 1000;
  int64_t count = 0;  // number of repetitions; 0: until stopped
};

// Runs until it has repeated often enough, or the server does not respond. Returns the exit code.
int Watch(const WatchOptions& options, const Console& console, Session* session);

}  // namespace lapse::server::client
