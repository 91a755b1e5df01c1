// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapse::server {

// Returns the known name most similar to the given one, or an empty text if none is similar.
std::string NearestName(std::string_view given, const std::vector<std::string>& known);

// "; did you mean 'port'?", or nothing.
std::string DidYouMean(std::string_view given, const std::vector<std::string>& known);

}  // namespace lapse::server
