// Which values are valid as a ttl, whatever document or wire format they come from, and how durations are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace lapse::ttl {

// Returns the integer that a double represents (5.0 is 5), or nullopt for a fraction, NaN, an infinity, or a value
// outside int64.
std::optional<int64_t> WholeNumber(double number);

// Parses a ttl or a default: -1 or 1..2147483647. Returns nullopt for anything else. The caller passes nullopt for
// anything but an integer, such as a string, null or a fraction.
std::optional<int32_t> ParseTtl(std::optional<int64_t> whole_number);

// Parses the expireAfterSeconds of a date rule: 0..2147483647.
std::optional<int32_t> ParseExpireAfter(std::optional<int64_t> whole_number);

// Parses "30d", "1h30m", "90s" or "500ms". A number alone means seconds. Units (d, h, m, s, ms) must descend, each at
// most once.
// Fails: kInvalidArgument for anything else, including signs and blanks, and on overflow.
Result<int64_t> ParseDurationMs(std::string_view text);

}  // namespace lapse::ttl
