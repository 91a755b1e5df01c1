// Looks up one computed property in a container's definition.
#pragma once

#include <string_view>

namespace lapse::api {

// Returns the query of the computed property with this name, or an empty text if there is none. The definition must
// have been checked.
std::string_view ComputedQueryOf(std::string_view definition, std::string_view name);

}  // namespace lapse::api
