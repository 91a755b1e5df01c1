#include "query/values/value.h"

namespace lapse::query {

Value Property(Value from, std::string_view name) {
  if (!from.IsObject()) return {};
  return Value::FromBson(doc::Find(from.AsDocument(), name));
}

Value Element(Value from, int64_t index) {
  if (!from.IsArray() || index < 0) return {};
  Elements elements(from);
  while (auto element = elements.Next()) {
    if (index-- == 0) return *element;
  }
  return {};
}

size_t CountOf(Value container) {
  size_t count = 0;
  doc::Reader reader(container.AsDocument());
  while (reader.Next()) ++count;
  return count;
}

}  // namespace lapse::query
