// The properties that are added to every item that is shown; what a client sends under these names is not stored.
#pragma once

#include <string_view>

namespace lapse::api {

constexpr bool IsAddedToItems(std::string_view name) {
  return name == "_rid" || name == "_self" || name == "_etag" || name == "_attachments" || name == "_ts";
}

}  // namespace lapse::api
