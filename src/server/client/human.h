// Formats numbers, sizes and times for people, and text so that it is safe on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapse::server::client {

std::string FormatNumber(int64_t number);       // 1234567 is "1,234,567"
std::string FormatBytes(int64_t bytes);         // "999 B", "1.5 KiB", "2.0 GiB"
std::string FormatSeconds(int64_t seconds);     // "0s", "1h30m", "30d": exact, in the notation for durations
std::string FormatUnits(double request_units);  // two decimals
std::string FormatTime(int64_t unix_s);         // "2025-06-15T15:06:40Z"
// A container's default: "off", "-1" (on, without a default) or a duration.
std::string FormatDefaultTtl(std::optional<int64_t> default_ttl);

// Names come from users of the database, so characters that control a terminal become '?'.
std::string Printable(std::string_view text);

// Returns the number of columns, one for each character.
size_t Columns(std::string_view utf8);

}  // namespace lapse::server::client
