#include "api/computed_query.h"

#include "doc/value.h"

namespace lapse::api {

std::string_view ComputedQueryOf(std::string_view definition, std::string_view name) {
  // A container that no API has created has no definition of this form.
  const doc::Value list = definition.empty() ? doc::Value() : doc::Find(definition, "computedProperties");
  if (list.type() != doc::Type::kArray) return {};
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    if (entry->value.type() != doc::Type::kObject) continue;
    const doc::Value given = doc::Find(entry->value.AsDocument(), "name");
    const doc::Value query = doc::Find(entry->value.AsDocument(), "query");
    const bool is_it = given.type() == doc::Type::kString && given.AsString() == name;
    if (is_it && query.type() == doc::Type::kString) return query.AsString();
  }
  return {};
}

}  // namespace lapse::api
