// Headers with lists: `a, b` in one line means the same as `a` and `b` in two.
#pragma once

#include <string_view>

#include "base/ascii.h"
#include "net/http.h"

namespace lapse::api::explorer {

// Calls `take` with each element, trimmed. `name` is in lower case.
template <typename Take>
void ForEachElement(const net::Request& request, std::string_view name, const Take& take) {
  for (const net::HeaderField& field : request.headers) {
    if (!EqualsIgnoreCase(field.name, name)) continue;
    std::string_view rest = field.value;
    while (true) {
      const size_t comma = rest.find(',');
      const std::string_view element = TrimBlanks(rest.substr(0, comma));
      if (!element.empty()) take(element);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
}

}  // namespace lapse::api::explorer
