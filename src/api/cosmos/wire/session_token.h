// What a client has seen: `<partition key range id>:<version>#<lsn>`, comma-separated for several ranges. We return
// version 1 and accept any, optionally followed by the progress of regions (`#<region>=<lsn>`).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// Appends the token of one range, after a comma if `out` is not empty.
void AppendSessionToken(uint32_t range_id, uint64_t lsn, std::string* out);

// Returns the LSN that the token demands for that range, or 0 if it does not mention the range. Fails: kInvalidArgument
// if any part is malformed.
Result<uint64_t> RequestedLsn(std::string_view token, uint32_t range_id);

// Checks that a reader of the range sees what the token demands. Fails: kInvalidArgument, kSessionNotAvailable.
Status CheckSession(std::string_view token, uint32_t range_id, uint64_t last_lsn);

}  // namespace lapse::api::cosmos
