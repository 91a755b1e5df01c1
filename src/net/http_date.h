// The calendar as HTTP writes it.
#pragma once

#include <cstdint>
#include <string>

#include "base/calendar.h"

namespace lapse::net {

inline std::string HttpDate(int64_t unix_s) {
  return Rfc1123Date(unix_s);
}

}  // namespace lapse::net
