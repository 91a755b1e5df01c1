// The id that identifies a request in logs.
#pragma once

#include <string>
#include <string_view>

namespace lapse::api::cosmos {

// Appends the client's own id if it is a plain token (letters, digits, dashes, at most 64), otherwise a new one in the
// shape of a GUID. Threads: any; no system call.
void AppendActivityId(std::string_view from_client, std::string* out);

}  // namespace lapse::api::cosmos
