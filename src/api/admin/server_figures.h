// What the server knows about itself, for the overview.
#pragma once

#include <cstdint>
#include <optional>

namespace lapse::api::admin {

struct ServerFigures {
  // Of the store; nullopt: it has never answered.
  std::optional<int64_t> disk_bytes;
  std::optional<int64_t> memory_bytes;
  int64_t age_ms = 0;  // of these two; 0: the store answers

  int64_t resident_bytes = 0;
  int64_t request_bytes = 0;  // what requests and unsent answers take
  int64_t request_bytes_max = 0;
  int64_t connections = 0;
};

}  // namespace lapse::api::admin
