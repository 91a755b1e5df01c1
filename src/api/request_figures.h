// Statistics on an API's requests since the start, for reports about the server.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/histogram.h"

namespace lapse::api {

struct OperationFigures {
  std::string_view name;  // "read", "change_feed"
  Histogram::Reading times;
};

struct RequestFigures {
  std::array<int64_t, 6> answered{};         // by the first digit of the status
  std::vector<OperationFigures> operations;  // all operations, in a fixed order
};

}  // namespace lapse::api
