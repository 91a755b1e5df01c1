// Checks which texts may be the id of a resource.
#pragma once

#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// For an item: 1..1023 bytes without `/ \ #` and NUL. Fails: kInvalidArgument, naming the character.
Status CheckItemId(std::string_view id);
// For other resources: 1..255 characters, without those and `?`, and not ending in a space. Fails: kInvalidArgument.
Status CheckResourceName(std::string_view name);

}  // namespace lapse::api::cosmos
