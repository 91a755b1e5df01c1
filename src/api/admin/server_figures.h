// The server's own figures, for the overview.
#pragma once

#include <cstdint>
#include <optional>

namespace lapse::api::admin {

struct ServerFigures {
  // Of the store; nullopt: it has never responded.
  std::optional<int64_t> disk_bytes;
  std::optional<int64_t> memory_bytes;
  int64_t age_ms = 0;  // of these two; 0: the store responds

  int64_t resident_bytes = 0;
  int64_t request_bytes = 0;  // used by requests and unsent responses
  int64_t request_bytes_max = 0;
  int64_t connections = 0;
};

}  // namespace lapse::api::admin
