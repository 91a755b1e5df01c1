// Moves the test clock of a server over its admin API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lapse::linearizability {

// Sends {"freeze":true}, {"advance":2} or the like; an empty command only asks. Returns the second that the clock shows
// then. None: the server does not answer, or answers that it does not know.
std::optional<int64_t> AskTestClock(uint16_t port, const std::string& command);

}  // namespace lapse::linearizability
