// The error of a request that is wrong and will stay wrong.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"

namespace lapse::api {

inline Status Invalid(std::string message) {
  return {Code::kInvalidArgument, std::move(message)};
}

}  // namespace lapse::api
