#include "api/cosmos/partition_key/partition_key_values.h"

#include <string>

#include "api/cosmos/partition_key/go_escapes.h"
#include "api/invalid.h"
#include "doc/json.h"
#include "doc/path.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

// Three levels of 2048 bytes, every character escaped as \uXXXX.
constexpr doc::JsonLimits kHeaderLimits{.depth_max = 2, .bytes_max = 48 * 1024};
constexpr size_t kValueBytesMax = 2048;

engine::PartitionKeyComponent ToComponent(doc::Value value) {
  switch (value.type()) {
    case doc::Type::kString: return engine::PartitionKeyComponent::String(std::string(value.AsString()));
    case doc::Type::kBool: return engine::PartitionKeyComponent::Bool(value.AsBool());
    case doc::Type::kNull: return engine::PartitionKeyComponent::Null();
    case doc::Type::kDouble:
    case doc::Type::kInt32:
    case doc::Type::kInt64: return engine::PartitionKeyComponent::Number(value.AsDouble() + 0.0);  // -0.0 becomes 0
    default: return engine::PartitionKeyComponent::Missing();
  }
}

bool IsEmptyObject(doc::Value value) {
  return value.type() == doc::Type::kObject && !doc::Reader(value.AsDocument()).Next();
}

bool HasSystemKey(std::string_view container_properties) {
  if (container_properties.empty()) return false;
  doc::Value definition = doc::Find(container_properties, "partitionKey");
  if (definition.type() != doc::Type::kObject) return false;
  doc::Value system_key = doc::Find(definition.AsDocument(), "systemKey");
  return system_key.type() == doc::Type::kBool && system_key.AsBool();
}

}  // namespace

Result<PartitionKeyValues> ParsePartitionKeyHeader(std::string_view header) {
  std::string json;
  if (header.size() <= kHeaderLimits.bytes_max && HasGoEscapes(header)) {
    json = GoEscapesAsJson(header);
    header = json;
  }
  std::string array;
  Status parsed = doc::JsonArrayToBson(header, kHeaderLimits, &array);
  if (!parsed.ok())
    return Invalid("Partition key " + std::string(header.substr(0, 100)) + " is invalid: " + parsed.message());
  PartitionKeyValues values;
  doc::Reader reader(array);
  while (auto element = reader.Next()) {
    doc::Type type = element->value.type();
    if (type == doc::Type::kArray || (type == doc::Type::kObject && !IsEmptyObject(element->value))) {
      return Invalid("Partition key is invalid: its components must be strings, numbers, true, false, null or {}.");
    }
    values.push_back(ToComponent(element->value));
  }
  return values;
}

PartitionKeyValues ExtractPartitionKey(std::string_view document, const engine::PartitionKeyDefinition& definition) {
  PartitionKeyValues values;
  values.reserve(definition.paths.size());
  for (const doc::Path& path : definition.paths) values.push_back(ToComponent(doc::FindPath(document, path)));
  return values;
}

Status CheckPartitionKeySize(const PartitionKeyValues& values) {
  for (const engine::PartitionKeyComponent& component : values) {
    const auto* text = std::get_if<std::string>(&component.value);
    if (text != nullptr && text->size() > kValueBytesMax) {
      return Invalid("Partition key value is too long: it may have " + std::to_string(kValueBytesMax) + " bytes.");
    }
  }
  return Status::Ok();
}

Result<PartitionKeyValues> WholePartitionKey(std::string_view header, const engine::PartitionKeyDefinition& definition,
                                             std::string_view container_properties) {
  LAPSE_ASSIGN_OR_RETURN(PartitionKeyValues values, ParsePartitionKeyHeader(header));
  if (values.empty() && HasSystemKey(container_properties)) {
    return PartitionKeyValues(definition.paths.size(), engine::PartitionKeyComponent::Missing());
  }
  if (values.size() != definition.paths.size()) {
    return Status(Code::kPartitionKeyMismatch,
                  "Partition key provided either doesn't correspond to definition in the collection or doesn't match "
                  "partition key field values specified in the document.");
  }
  LAPSE_RETURN_IF_ERROR(CheckPartitionKeySize(values));
  return values;
}

}  // namespace lapse::api::cosmos
