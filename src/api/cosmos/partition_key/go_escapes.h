// Converts partition keys in Go's quoting to JSON.
#pragma once

#include <string>
#include <string_view>

namespace lapse::api::cosmos {

// Whether the text has an escape that Go writes and JSON does not have.
bool HasGoEscapes(std::string_view text);

// Rewrites `\U0001f600`, `\x7f`, `\a` and `\v` as JSON. Leaves malformed escapes for JSON to refuse.
std::string GoEscapesAsJson(std::string_view text);

}  // namespace lapse::api::cosmos
