// Resolves a path to offsets within a document, for editing it there. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "doc/edit.h"
#include "doc/path.h"
#include "doc/value.h"

namespace lapse::doc {

struct Location {
  std::vector<size_t> around;  // offsets of the enclosing objects and arrays, outermost first
  bool in_array = false;
  size_t index = 0;    // in an array: the index of the element, existing or not
  bool there = false;  // if false, `begin` and `end` are where it would be appended
  size_t begin = 0;    // of the whole element, including its type and name
  size_t end = 0;
  Element element;  // only if `there`; points into the document
};

// The path must have at least one name.
// Fails: kNoParent, kOutOfBounds, kNotAnIndex.
std::optional<EditError> Locate(std::string_view document, const Path& path, Location* location);

}  // namespace lapse::doc
