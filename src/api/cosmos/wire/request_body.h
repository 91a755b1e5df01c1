// A request's body as a document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "doc/value.h"

namespace lapse::api::cosmos {

// What an item may be as JSON; patches are held to it too.
constexpr size_t kItemBytesMax = 2 * 1024 * 1024 - 1;
constexpr int kItemDepthMax = 128;

Status ItemTooLarge();

// BSON of the JSON object in the body. Fails: kInvalidArgument, kTooLarge (beyond 2 MB).
Result<std::string> ParseBody(std::string_view body);

// Whether a member is not there, or null, which some clients write for that.
bool IsAbsent(doc::Value value);

}  // namespace lapse::api::cosmos
