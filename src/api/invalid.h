// The error of an invalid request: a retry would fail, too.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"

namespace lapse::api {

inline Status Invalid(std::string message) {
  return {Code::kInvalidArgument, std::move(message)};
}

}  // namespace lapse::api
