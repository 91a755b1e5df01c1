// The calendar as HTTP writes it.
#pragma once

#include <cstdint>
#include <string>

namespace lapse::net {

// "Sun, 06 Nov 1994 08:49:37 GMT". Takes Unix times from year 0 to 9999.
std::string HttpDate(int64_t unix_s);

}  // namespace lapse::net
