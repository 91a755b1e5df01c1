// A path into a document, parsed once and used often.
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

  // Parses `/address/city` or `/"a/b"/c`. A name with a slash must be quoted; quotes allow the escapes `\"` and `\\`.
  // Fails: kInvalidArgument without a leading slash, or with an empty unquoted name, an unclosed quote or a NUL
  // character.
  static Result<Path> FromSlashes(std::string_view text);

  // Parses a JSON pointer (RFC 6901): `/a~1b/0`, where `~1` is a slash and `~0` a tilde. Names may be empty. The empty
  // text is the whole document.
  // Fails: kInvalidArgument without a leading slash, or with any other `~`, a NUL character or more than `names_max`
  // names.
  static Result<Path> FromPointer(std::string_view text, size_t names_max);

  // Returns the path as a JSON pointer.
  std::string ToPointer() const;

  const std::vector<std::string>& names() const { return names_; }

  // Whether the path equals `other` or leads to something inside it.
  bool IsWithin(const Path& other) const;

  bool operator==(const Path&) const = default;

 private:
  std::vector<std::string> names_;
};

}  // namespace lapse::doc
