// The properties that the API adds to every item it returns. A value that a client sends under one of these names is
// not stored.
#pragma once

#include <string_view>

#include "query/exec/rules/added_properties.h"

namespace lapse::api {

constexpr query::exec::AddedProperties::Meaning MeaningOfAdded(std::string_view name) {
  using Meaning = query::exec::AddedProperties::Meaning;
  if (name == "_ts") return Meaning::kWriteSecond;
  if (name == "_rid") return Meaning::kNumber;
  if (name == "_self" || name == "_etag" || name == "_attachments") return Meaning::kOther;
  return Meaning::kNotAdded;
}

constexpr bool IsAddedToItems(std::string_view name) {
  return MeaningOfAdded(name) != query::exec::AddedProperties::Meaning::kNotAdded;
}

}  // namespace lapse::api
