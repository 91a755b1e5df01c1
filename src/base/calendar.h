// Unix times as UTC dates of the Gregorian calendar, in two common formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapse {

// Formats as HTTP does: "Sun, 06 Nov 1994 08:49:37 GMT". Takes years 0 to 9999.
std::string Rfc1123Date(int64_t unix_s);

// Parses that format in any case, with `GMT` or `UTC`. Returns false for any other text, a wrong weekday or year 0.
bool ParseRfc1123(std::string_view text, int64_t* unix_ms);

// Formats as "1994-11-06T08:49:37Z", or "1994-11-06T08:49:37.120Z" if the milliseconds are not zero. Takes years 0 to
// 9999.
std::string Iso8601Date(int64_t unix_ms);

}  // namespace lapse
