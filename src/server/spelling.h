// Helps whoever has misspelt a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapse::server {

// The known name that is most like the given one; empty when none is like it.
std::string NearestName(std::string_view given, const std::vector<std::string>& known);

// "; did you mean 'port'?", or nothing.
std::string DidYouMean(std::string_view given, const std::vector<std::string>& known);

}  // namespace lapse::server
