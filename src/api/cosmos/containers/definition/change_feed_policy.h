// A container's `changeFeedPolicy`: how long it keeps every version and delete.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

constexpr int64_t kRetentionMinutesMax = 30 * 24 * 60;

// Returns seconds, from the whole minutes of `retentionDuration`. Returns 0, for no retention, without a policy or a
// duration. `json` is the text of the definition that holds the policy, for an error that quotes it; it may be empty.
// Fails: kInvalidArgument.
Result<int64_t> ChangeLogRetention(doc::Value policy, std::string_view json);

}  // namespace lapse::api::cosmos
