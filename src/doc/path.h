// A path into a document, parsed once and used many times.
#pragma once

#include <cstddef>
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

  // A JSON pointer (RFC 6901): `/a~1b/0`, where `~1` is a slash and `~0` a tilde; names may be empty, and the empty
  // text is the whole document. Fails: kInvalidArgument without a leading slash, on another `~`, on a NUL character and
  // on more than `names_max` names.
  static Result<Path> FromPointer(std::string_view text, size_t names_max);

  // As a JSON pointer.
  std::string ToPointer() const;

  const std::vector<std::string>& names() const { return names_; }

  // Whether it is `other`, or leads to something within what `other` leads to.
  bool IsWithin(const Path& other) const;

  bool operator==(const Path&) const = default;

 private:
  std::vector<std::string> names_;
};

}  // namespace lapse::doc
