// What a client has seen: `<partition key range id>:<version>#<lsn>`, comma-joined for several ranges. We give out
// version 1 and accept any, with or without progress of regions (`#<region>=<lsn>`) behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// Appends the token of one range, after a comma when `out` is not empty.
void AppendSessionToken(uint32_t range_id, uint64_t lsn, std::string* out);

// The LSN that the token asks for in that range; 0 when it says nothing about it. Fails: kInvalidArgument when any part
// is malformed.
Result<uint64_t> RequestedLsn(std::string_view token, uint32_t range_id);

// That a reader of the range sees what the token asks for. Fails: kInvalidArgument, kSessionNotAvailable.
Status CheckSession(std::string_view token, uint32_t range_id, uint64_t last_lsn);

}  // namespace lapse::api::cosmos
