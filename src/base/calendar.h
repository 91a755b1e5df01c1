// Unix times as dates of the Gregorian calendar in UTC, in the two forms that the world writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapse {

// "Sun, 06 Nov 1994 08:49:37 GMT", as HTTP writes it. Takes times from year 0 to 9999.
std::string Rfc1123Date(int64_t unix_s);

// That form in any case, or with `UTC`; the weekday must be right, and the year at least 1. False otherwise.
bool ParseRfc1123(std::string_view text, int64_t* unix_ms);

// "1994-11-06T08:49:37Z", and with milliseconds "1994-11-06T08:49:37.120Z" unless they are zero. Takes times from year
// 0 to 9999.
std::string Iso8601Date(int64_t unix_ms);

}  // namespace lapse
