// The name under which a request can be found again in logs.
#pragma once

#include <string>
#include <string_view>

namespace lapse::api::cosmos {

// Appends the client's own id when it is a plain token (letters, digits, dashes, at most 64), otherwise a fresh one in
// the shape of a GUID. Threads: any; no system call.
void AppendActivityId(std::string_view from_client, std::string* out);

}  // namespace lapse::api::cosmos
