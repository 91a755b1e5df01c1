#include "api/cosmos/changes/change_record.h"

#include <string_view>

#include "api/cosmos/partition_key/partition_key_values.h"
#include "api/cosmos/wire/system_properties.h"
#include "doc/json.h"
#include "doc/value.h"

namespace lapse::api::cosmos {
namespace {

using engine::ChangeKind;

std::string_view OperationType(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kCreate: return "create";
    case ChangeKind::kReplace: return "replace";
    case ChangeKind::kDelete:
    case ChangeKind::kExpiry: return "delete";
  }
  return "";
}

std::string NameOf(const doc::Path& path) {
  std::string name;
  for (const std::string& part : path.names()) name.append(name.empty() ? "" : "/").append(part);
  return name;
}

void AppendPartitionKey(const engine::PartitionKeyDefinition& definition, std::string_view document,
                        std::string* json) {
  json->append(R"(,"partitionKey":{)");
  bool first = true;
  PartitionKeyValues values = ExtractPartitionKey(document, definition);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == engine::PartitionKeyComponent::Missing()) continue;
    if (!first) json->push_back(',');
    first = false;
    doc::StringToJson(NameOf(definition.paths[i]), json);
    json->push_back(':');
    // Taken from the document rather than the key, which holds numbers only as doubles.
    doc::ValueToJson(doc::FindPath(document, definition.paths[i]), json);
  }
  json->push_back('}');
}

void AppendMetadata(const engine::Container& container, const engine::LoggedChange& change, std::string* json) {
  json->append(R"("metadata":{"lsn":)").append(std::to_string(change.lsn));
  json->append(R"(,"crts":)").append(std::to_string(change.time_ms / 1000));
  json->append(R"(,"operationType":")").append(OperationType(change.kind)).push_back('"');
  if (change.kind == ChangeKind::kExpiry) json->append(R"(,"timeToLiveExpired":true)");
  if (change.kind != ChangeKind::kCreate) {
    json->append(R"(,"previousImageLSN":)").append(std::to_string(change.previous_lsn));
  }
  if (change.current.empty()) {
    json->append(R"(,"id":)");
    doc::ValueToJson(doc::Find(change.previous_doc, "id"), json);
    AppendPartitionKey(container.partition_key(), change.previous_doc, json);
  }
  json->push_back('}');
}

}  // namespace

void AppendEnvelopedItemJson(const engine::Container& container, const engine::ItemMeta& meta,
                             std::string_view document, std::string* json) {
  json->append(R"({"current":)");
  AppendChangedItemJson(container, meta, document, json);
  json->append(R"(,"metadata":{"lsn":)").append(std::to_string(meta.lsn));
  json->append(R"(,"crts":)").append(std::to_string(meta.version.ts_s)).append("}}");
}

void AppendChangeRecordJson(const engine::Container& container, const engine::LoggedChange& change, std::string* json) {
  json->append(R"({"current":)");
  if (change.current.empty())
    json->append("{}");
  else
    AppendItemJson(container, change.meta(), change.current, json);
  if (change.kind != ChangeKind::kCreate) {
    json->append(R"(,"previous":)");
    AppendItemJson(container, change.previous_meta(), change.previous_doc, json);
  }
  json->push_back(',');
  AppendMetadata(container, change, json);
  json->push_back('}');
}

}  // namespace lapse::api::cosmos
