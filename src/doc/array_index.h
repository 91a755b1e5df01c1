// Array indexes in paths. Private to this folder.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

namespace lapse::doc {

// Parses a decimal index without leading zeros, as in JSON paths. Returns the greatest size_t on overflow, which is
// beyond every array.
inline std::optional<size_t> ArrayIndex(std::string_view name) {
  const bool digits = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (name.empty() || !digits || (name.size() > 1 && name[0] == '0')) return std::nullopt;
  size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  return error == std::errc() ? index : std::numeric_limits<size_t>::max();
}

}  // namespace lapse::doc
