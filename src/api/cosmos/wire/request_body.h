// A request's body as a document.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// BSON of the JSON object in the body. Fails: kInvalidArgument, kTooLarge (beyond 2 MB).
Result<std::string> ParseBody(std::string_view body);

}  // namespace lapse::api::cosmos
