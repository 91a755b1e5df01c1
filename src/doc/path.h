// A path into a document, parsed once and used many times.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace lapse::doc {

class Path {
 public:
  Path() = default;
  explicit Path(std::vector<std::string> names) : names_(std::move(names)) {}

  // `/address/city`, `/"a/b"/c` (quoted where a name holds a slash, `\"` and `\\` inside quotes).
  // Fails: kInvalidArgument without a leading slash, on an empty unquoted name, an unclosed quote or a NUL character.
  static Result<Path> FromSlashes(std::string_view text);

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

}  // namespace lapse::doc
