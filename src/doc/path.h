// A path into a document, parsed once and used many times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::doc {

class Path {
 public:
  Path() = default;
  explicit Path(std::vector<std::string> names) : names_(std::move(names)) {}

  // `/address/city`, `/"a/b"/c` (quoted where a name holds a slash, `\"` and `\\` inside quotes).
  static Result<Path> FromSlashes(std::string_view text);

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

}  // namespace lapse::doc
