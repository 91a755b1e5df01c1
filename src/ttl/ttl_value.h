// Which values are a time to live, whatever document or wire format they come from, and how people write a duration.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace lapse::ttl {

// The whole number that a double stands for: 5.0 is 5. nullopt for a fraction, NaN, an infinity, or what int64 does not
// hold.
std::optional<int64_t> WholeNumber(double number);

// A value as a ttl or a default: -1 or 1..2147483647. The caller passes nullopt for what is not a whole number (a
// string, null, a fraction); nullopt comes back for whatever is not a ttl.
std::optional<int32_t> ParseTtl(std::optional<int64_t> whole_number);

// A value as the expireAfterSeconds of a date rule: 0..2147483647.
std::optional<int32_t> ParseExpireAfter(std::optional<int64_t> whole_number);

// "30d", "1h30m", "90s", "500ms"; a number alone is seconds. Units (d, h, m, s, ms) come from great to small, each at
// most once. Fails: kInvalidArgument for anything else, signs and blanks among it, and for what does not fit.
Result<int64_t> ParseDurationMs(std::string_view text);

}  // namespace lapse::ttl
