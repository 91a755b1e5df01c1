#include "doc/locate.h"

#include <limits>

#include "doc/array_index.h"

namespace lapse::doc {
namespace {

// The position after the last element of an array, as in JSON pointers.
constexpr std::string_view kAfterLast = "-";

bool HoldsOthers(Value value) {
  return value.type() == Type::kObject || value.type() == Type::kArray;
}

EditError Lost(EditError::Kind kind, std::string_view name) {
  return {.kind = kind, .name = std::string(name)};
}

std::optional<Element> FindName(std::string_view object, std::string_view name) {
  Reader reader(object);
  while (auto element = reader.Next()) {
    if (element->name == name) return element;
  }
  return std::nullopt;
}

// Finds an element by position, since arrays from other writers may have any names. Sets `passed` to the number of
// elements before it.
std::optional<Element> FindIndex(std::string_view array, size_t index, size_t* passed) {
  Reader reader(array);
  for (*passed = 0; auto element = reader.Next(); ++*passed) {
    if (*passed == index) return element;
  }
  return std::nullopt;
}

std::optional<Element> Enter(Value parent, std::string_view name) {
  if (parent.type() == Type::kObject) return FindName(parent.AsDocument(), name);
  const std::optional<size_t> index = ArrayIndex(name);
  size_t passed = 0;
  return index.has_value() ? FindIndex(parent.AsDocument(), *index, &passed) : std::nullopt;
}

std::optional<EditError> LocateInArray(std::string_view array, std::string_view name, Location* location,
                                       std::optional<Element>* found) {
  location->in_array = true;
  const bool after_last = name == kAfterLast;
  const std::optional<size_t> index = after_last ? std::numeric_limits<size_t>::max() : ArrayIndex(name);
  if (!index.has_value()) return Lost(EditError::Kind::kNotAnIndex, name);
  *found = FindIndex(array, *index, &location->index);
  if (!found->has_value() && !after_last && *index != location->index) {
    return Lost(EditError::Kind::kOutOfBounds, name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<EditError> Locate(std::string_view document, const Path& path, Location* location) {
  const auto offset = [&](const char* at) { return static_cast<size_t>(at - document.data()); };
  const std::vector<std::string>& names = path.names();
  Value parent(Type::kObject, document);
  location->around = {0};
  for (size_t i = 0; i + 1 < names.size(); ++i) {
    const std::optional<Element> child = Enter(parent, names[i]);
    if (!child.has_value() || !HoldsOthers(child->value)) return Lost(EditError::Kind::kNoParent, names[i]);
    parent = child->value;
    location->around.push_back(offset(parent.raw().data()));
  }

  const std::string_view inside = parent.AsDocument();
  std::optional<Element> found;
  if (parent.type() == Type::kArray) {
    if (auto error = LocateInArray(inside, names.back(), location, &found)) return error;
  } else {
    found = FindName(inside, names.back());
  }
  location->there = found.has_value();
  if (found.has_value()) {
    location->element = *found;
    location->begin = offset(found->name.data()) - 1;
    location->end = offset(found->value.raw().data() + found->value.raw().size());
  } else {
    location->begin = location->end = offset(inside.data() + inside.size()) - 1;
  }
  return std::nullopt;
}

}  // namespace lapse::doc
