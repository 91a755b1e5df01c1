// `lapse watch`: the numbers of containers again and again. A terminal is drawn over each time; anything else gets a
// line for each container.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "server/client/session.h"

namespace lapse::server::client {

// What the program has beside its streams.
struct Console {
  bool is_terminal = false;                   // the output is one
  std::function<void(int64_t ms)> wait = {};  // empty: time is not waited for (tests)
};

struct WatchOptions {
  std::string path;        // of the report
  bool is_single = false;  // of one container
  int64_t interval_ms = 1000;
  int64_t count = 0;  // how many times; 0: until it is stopped
};

// Until it has looked often enough or the server does not answer. Returns the exit code.
int Watch(const WatchOptions& options, const Console& console, Session* session);

}  // namespace lapse::server::client
