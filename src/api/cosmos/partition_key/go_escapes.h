// Partition keys as Go's own quoting writes them, turned into JSON.
#pragma once

#include <string>
#include <string_view>

namespace lapse::api::cosmos {

// Whether the text has an escape that Go writes and JSON does not know.
bool HasGoEscapes(std::string_view text);

// `\U0001f600`, `\x7f`, `\a` and `\v` as JSON writes them. What is malformed stays as it is, for JSON to refuse.
std::string GoEscapesAsJson(std::string_view text);

}  // namespace lapse::api::cosmos
