// Returns the value at a path of names within objects. Finds nothing inside an array, even by index.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"

namespace lapse::engine {

inline doc::Value ValueAt(const std::vector<std::string>& names, std::string_view document) {
  doc::Value value(doc::Type::kObject, document);
  for (const std::string& name : names) {
    if (value.type() != doc::Type::kObject) return {};
    value = doc::Find(value.AsDocument(), name);
  }
  return value;
}

}  // namespace lapse::engine
