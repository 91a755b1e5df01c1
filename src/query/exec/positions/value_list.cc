#include "query/exec/positions/value_list.h"

#include <optional>

#include "doc/json.h"
#include "query/exec/positions/page_position.h"
#include "query/values/arena.h"
#include "query/values/builder.h"

namespace lapse::query::exec {
namespace {

constexpr std::string_view kName = "k";
constexpr int kDepthMax = 256;  // documents are less deep

}  // namespace

std::string EncodeValues(std::span<const Value> values) {
  Arena arena(Arena::kBudgetMax);
  std::vector<Value> wrapped;
  wrapped.reserve(values.size());
  for (const Value& value : values) {
    ObjectBuilder object(&arena);
    object.Add(kName, value);
    wrapped.push_back(object.Finish());
  }
  ArrayBuilder array(&arena);
  for (const Value& value : wrapped) array.Append(value);
  return std::string(array.Finish().AsDocument());
}

bool TakesMoreThan(size_t bytes_max, std::span<const Value> values) {
  size_t bytes = 0;
  for (const Value& value : values) {
    bytes += kValueBytesMin;
    if (value.IsString()) bytes += value.AsString().size();
    if (value.IsArray() || value.IsObject()) bytes += value.AsDocument().size();
    if (bytes > bytes_max) return true;
  }
  return false;
}

Result<std::vector<Value>> DecodeValues(std::string_view bytes) {
  LAPSE_RETURN_IF_ERROR(doc::Validate(bytes, kDepthMax));
  std::vector<Value> values;
  Elements elements(Value::Array(bytes));
  while (std::optional<Value> element = elements.Next()) {
    if (!element->IsObject()) return MalformedContinuation();
    values.push_back(Property(*element, kName));
  }
  return values;
}

}  // namespace lapse::query::exec
