#pragma once

#include <string_view>

namespace lapse::server {

// Must equal the project's version in CMakeLists.txt.
constexpr std::string_view kVersion = "0.1.0";

}  // namespace lapse::server
