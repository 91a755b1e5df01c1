// A request's body as a document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// The largest item as JSON. Patches have the same limit.
constexpr size_t kItemBytesMax = 2 * 1024 * 1024 - 1;
constexpr int kItemDepthMax = 128;

Status ItemTooLarge();

// Returns the JSON object of the body as BSON. Fails: kInvalidArgument, kTooLarge (beyond 2 MB).
Result<std::string> ParseBody(std::string_view body);

// Whether a member is missing, or null, which some clients write instead.
bool IsAbsent(doc::Value value);

}  // namespace lapse::api::cosmos
