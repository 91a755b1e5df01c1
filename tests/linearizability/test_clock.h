// The test clock of a server, over its admin API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lapse::linearizability {

// Sends {"freeze":true}, {"advance":2} or the like; empty: only asks. The second that the clock shows then; none:
// nobody answers, or the answer says that nobody knows.
std::optional<int64_t> AskTestClock(uint16_t port, const std::string& command);

}  // namespace lapse::linearizability
