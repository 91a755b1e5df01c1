// A client's JSON as it was written, for errors that quote it: once parsed, 1.50 is 1.5.
#pragma once

#include <string_view>

namespace lapse::api::cosmos {

// The text of the value of that member of the outermost object; empty when it is not found, which includes names that
// are written with escapes. `json` should have passed the parser; what has not gives some part of it, or nothing.
std::string_view SentMember(std::string_view json, std::string_view name);

}  // namespace lapse::api::cosmos
