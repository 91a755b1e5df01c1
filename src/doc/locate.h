// Where a path leads within a document, in offsets, so that the document can be changed there. Private to this folder.
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
  std::vector<size_t> around;  // where the objects and arrays begin that it lies in, outermost first
  bool in_array = false;
  size_t index = 0;    // in an array: which element it is, or would be
  bool there = false;  // false: `begin` and `end` are the end of what it would be the last element of
  size_t begin = 0;    // of the element, with its type and name
  size_t end = 0;
  Element element;  // if it is there; looks at the document
};

// The path has one name at least. Fails: kNoParent, kOutOfBounds, kNotAnIndex.
std::optional<EditError> Locate(std::string_view document, const Path& path, Location* location);

}  // namespace lapse::doc
