// Which texts may be the id of a resource.
#pragma once

#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// An item: 1..1023 bytes without `/ \ #` and NUL. Fails: kInvalidArgument, and names the character.
Status CheckItemId(std::string_view id);
// Others: 1..255 characters, without those and `?`, and not ending in a space. Fails: kInvalidArgument.
Status CheckResourceName(std::string_view name);

}  // namespace lapse::api::cosmos
