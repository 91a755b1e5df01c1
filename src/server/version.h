#pragma once

#include <string_view>

namespace lapse::server {

// The same as the project's version in CMakeLists.txt.
constexpr std::string_view kVersion = "0.1.0";

}  // namespace lapse::server
