// The computed properties of a container's definition, for those who ask about one name.
#pragma once

#include <string_view>

namespace lapse::api {

// The query of the computed property of this name; empty: there is none. The definition is one that was checked.
std::string_view ComputedQueryOf(std::string_view definition, std::string_view name);

}  // namespace lapse::api
