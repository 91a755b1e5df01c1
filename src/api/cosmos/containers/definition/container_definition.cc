#include "api/cosmos/containers/definition/container_definition.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "api/cosmos/containers/definition/change_feed_policy.h"
#include "api/cosmos/containers/definition/computed_properties.h"
#include "api/cosmos/containers/definition/echoed_policies.h"
#include "api/cosmos/containers/definition/indexing_policy.h"
#include "api/cosmos/containers/definition/ttl_property.h"
#include "api/cosmos/containers/definition/unique_key_policy.h"
#include "api/cosmos/wire/names.h"
#include "api/cosmos/wire/request_body.h"
#include "api/cosmos/wire/system_properties.h"
#include "api/invalid.h"
#include "doc/path.h"
#include "doc/writer.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kHierarchyLevelsMax = 3;
// Every definition stays in memory, and each change rewrites it as a whole.
constexpr size_t kDefinitionMax_bytes = 256 << 10;

Status CheckSize(std::string_view definition) {
  if (definition.size() <= kDefinitionMax_bytes) return Status::Ok();
  return Status(Code::kTooLarge, "Request size is too large. The definition of a container may have 256 KB.");
}

Status MissingPartitionKey() {
  return Invalid("The input content is invalid because the required properties - 'partitionKey; ' - are missing");
}

// Returns the object with that name, or a missing value. Fails if it is anything but an object.
Result<doc::Value> FindObject(std::string_view document, std::string_view name) {
  doc::Value value = doc::Find(document, name);
  if (IsAbsent(value)) return doc::Value();
  if (value.type() != doc::Type::kObject) return Invalid(std::string(name) + " must be an object");
  return value;
}

// Reads paths into documents: well-formed strings, each only once.
Result<std::vector<doc::Path>> ReadPaths(doc::Value list, const std::string& what) {
  if (list.type() != doc::Type::kArray) return Invalid(what + " must be an array of paths");
  std::vector<doc::Path> paths;
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    if (entry->value.type() != doc::Type::kString) return Invalid("A path of " + what + " must be a string");
    std::string path(entry->value.AsString());
    Result<doc::Path> parsed = doc::Path::FromSlashes(path);
    bool wildcard = path.ends_with("/*") || path.ends_with("/?") || path.find("/[]") != std::string::npos;
    if (!parsed.ok() || parsed->names().empty() || wildcard) {
      return Invalid(std::string("The path '").append(path).append("' of ").append(what) +
                     " is not valid. Use paths like '/name' or '/address/city'.");
    }
    auto same = [&](const doc::Path& other) { return other.names() == parsed->names(); };
    if (std::any_of(paths.begin(), paths.end(), same)) {
      return Invalid(std::string("The path '").append(path).append("' of ").append(what) + " is given more than once");
    }
    paths.push_back(*std::move(parsed));
  }
  if (paths.empty()) return Invalid(what + " needs at least one path");
  return paths;
}

Result<engine::PartitionKeyKind> ReadKind(doc::Value kind, size_t paths) {
  if (IsAbsent(kind)) {
    if (paths == 1) return engine::PartitionKeyKind::kHash;
    return Invalid("A partition key with several paths must be of kind 'MultiHash'");
  }
  if (kind.type() == doc::Type::kString && kind.AsString() == "Hash") return engine::PartitionKeyKind::kHash;
  if (kind.type() == doc::Type::kString && kind.AsString() == "MultiHash") return engine::PartitionKeyKind::kMultiHash;
  return Invalid("The kind of a partition key must be 'Hash' or 'MultiHash'");
}

constexpr int kPartitionKeyVersion = 2;  // for new containers that do not specify one

// A number, or the name that the Java SDK sends.
Result<int> ReadVersion(doc::Value version, int version_if_absent) {
  if (IsAbsent(version)) return version_if_absent;
  if (version.type() == doc::Type::kString) {
    if (version.AsString() == "V1") return 1;
    if (version.AsString() == "V2") return 2;
  }
  const int64_t number = version.AsWholeNumber().value_or(0);
  if (number < 1 || number > 2) return Invalid("The version of a partition key must be 1 or 2");
  return static_cast<int>(number);
}

bool IsSystemKey(std::string_view partition_key) {
  const doc::Value system_key = doc::Find(partition_key, "systemKey");
  return system_key.type() == doc::Type::kBool && system_key.AsBool();
}

// Adds the system's key to the definition. No item has the property, so all have the same key.
std::string WithSystemKey(std::string_view given) {
  std::string document;
  doc::Writer writer(&document);
  writer.BeginDocument();
  doc::Reader reader(given);
  while (auto element = reader.Next()) {
    if (element->name != "partitionKey") writer.AppendValue(element->name, element->value);
  }
  writer.BeginObject("partitionKey");
  writer.BeginArray("paths");
  writer.AppendString("0", "/_partitionKey");
  writer.End();
  writer.AppendString("kind", "Hash");
  writer.AppendBool("systemKey", true);
  writer.End();
  writer.End();
  return document;
}

// Whether a path has a blank or a wildcard, or ends in a slash. Quoted names may contain anything.
bool HasOddCharacters(std::string_view path) {
  bool quoted = false;
  bool escaped = false;
  for (char c : path) {
    if (!quoted && std::string_view(" *?[]").find(c) != std::string_view::npos) return true;
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
  }
  return path.ends_with('/');
}

// The service's rule and words. Other checks refuse a value that is not text.
Status CheckKeyPathCharacters(doc::Value paths) {
  if (paths.type() != doc::Type::kArray) return Status::Ok();
  doc::Reader reader(paths.AsDocument());
  while (auto entry = reader.Next()) {
    if (entry->value.type() != doc::Type::kString || !HasOddCharacters(entry->value.AsString())) continue;
    return Invalid("The partition key path '" + std::string(entry->value.AsString().substr(0, 100)) +
                   "' is not valid. Partition key paths must contain only valid characters and not contain a trailing "
                   "slash or wildcard character.");
  }
  return Status::Ok();
}

constexpr std::string_view kSystemKeyPath = "/_partitionKey";

// Only the system's key may say that it is the system's.
Status CheckSystemKey(std::string_view partition_key) {
  const doc::Value system_key = doc::Find(partition_key, "systemKey");
  if (IsAbsent(system_key)) return Status::Ok();
  if (system_key.type() != doc::Type::kBool) return Invalid("systemKey of partitionKey must be true or false");
  if (!system_key.AsBool()) return Status::Ok();
  const doc::Value paths = doc::Find(partition_key, "paths");
  bool is_system = paths.type() == doc::Type::kArray;
  if (is_system) {
    doc::Reader reader(paths.AsDocument());
    const auto first = reader.Next();
    is_system = first.has_value() && first->value.type() == doc::Type::kString &&
                first->value.AsString() == kSystemKeyPath && !reader.Next().has_value();
  }
  return is_system ? Status::Ok() : Invalid("A partitionKey with systemKey has the one path '/_partitionKey'");
}

// No stored document has these properties, so all items would have the same key, whatever they return.
Status CheckNoSystemPaths(const std::vector<doc::Path>& paths) {
  const auto system = std::find_if(paths.begin(), paths.end(),
                                   [](const doc::Path& path) { return IsItemSystemName(path.names().front()); });
  if (system == paths.end()) return Status::Ok();
  return Invalid("The path '/" + system->names().front() +
                 "' of partitionKey is not valid: it is a property that the system adds to items.");
}

Result<engine::PartitionKeyDefinition> ReadPartitionKey(doc::Value value, int version_if_absent) {
  engine::PartitionKeyDefinition key;
  std::string_view document = value.AsDocument();
  LAPSE_RETURN_IF_ERROR(CheckSystemKey(document));
  LAPSE_RETURN_IF_ERROR(CheckKeyPathCharacters(doc::Find(document, "paths")));
  LAPSE_ASSIGN_OR_RETURN(key.paths, ReadPaths(doc::Find(document, "paths"), "partitionKey"));
  LAPSE_RETURN_IF_ERROR(CheckNoSystemPaths(key.paths));
  LAPSE_ASSIGN_OR_RETURN(key.kind, ReadKind(doc::Find(document, "kind"), key.paths.size()));
  bool hierarchical = key.kind == engine::PartitionKeyKind::kMultiHash;
  LAPSE_ASSIGN_OR_RETURN(key.version, ReadVersion(doc::Find(document, "version"), version_if_absent));
  if (!hierarchical && key.paths.size() > 1) {
    return Invalid("A partition key of kind 'Hash' has one path; several need the kind 'MultiHash'");
  }
  if (hierarchical && key.paths.size() > kHierarchyLevelsMax) return Invalid("A partition key may have 3 paths");
  if (hierarchical && key.version != 2) return Invalid("A partition key of kind 'MultiHash' must have version 2");
  return key;
}

Status CheckOneOf(doc::Value value, std::string_view what, std::initializer_list<std::string_view> allowed) {
  if (IsAbsent(value)) return Status::Ok();
  if (value.type() == doc::Type::kString) {
    for (std::string_view text : allowed) {
      if (value.AsString() == text) return Status::Ok();
    }
  }
  std::string message(what);
  message += " must be one of:";
  for (std::string_view text : allowed) message.append(" ").append(text);
  return Invalid(std::move(message));
}

// Checks the form of everything that the engine does not need to know.
Status CheckOtherProperties(std::string_view definition, std::string_view json) {
  LAPSE_RETURN_IF_ERROR(CheckAnalyticalTtl(doc::Find(definition, "analyticalStorageTtl"), json));
  LAPSE_RETURN_IF_ERROR(FindObject(definition, "clientEncryptionPolicy").status());
  LAPSE_RETURN_IF_ERROR(CheckVectorEmbeddingPolicy(doc::Find(definition, "vectorEmbeddingPolicy")));
  LAPSE_RETURN_IF_ERROR(CheckFullTextPolicy(doc::Find(definition, "fullTextPolicy")));
  LAPSE_RETURN_IF_ERROR(CheckConflictResolutionPolicy(doc::Find(definition, "conflictResolutionPolicy")));
  LAPSE_ASSIGN_OR_RETURN(doc::Value geospatial, FindObject(definition, "geospatialConfig"));
  if (geospatial.missing()) return Status::Ok();
  return CheckOneOf(doc::Find(geospatial.AsDocument(), "type"), "type of geospatialConfig", {"Geography", "Geometry"});
}

// Requires a checked configuration.
Geometries GeometriesOf(doc::Value geospatial) {
  const doc::Value type = IsAbsent(geospatial) ? doc::Value() : doc::Find(geospatial.AsDocument(), "type");
  const bool flat = type.type() == doc::Type::kString && type.AsString() == "Geometry";
  return flat ? Geometries::kFlat : Geometries::kOnEarth;
}

// Writes the partition key as given, with explicit kind and version.
void WritePartitionKey(std::string_view given, const engine::PartitionKeyDefinition& key, doc::Writer* writer) {
  writer->BeginObject("partitionKey");
  writer->AppendValue("paths", doc::Find(given, "paths"));
  writer->AppendString("kind", key.kind == engine::PartitionKeyKind::kHash ? "Hash" : "MultiHash");
  if (!doc::Find(given, "version").missing() || !IsSystemKey(given)) writer->AppendInt32("version", key.version);
  doc::Reader reader(given);
  while (auto element = reader.Next()) {
    if (element->name != "paths" && element->name != "kind" && element->name != "version") {
      writer->AppendValue(element->name, element->value);
    }
  }
  writer->End();
}

bool SamePartitionKey(const engine::PartitionKeyDefinition& a, const engine::PartitionKeyDefinition& b) {
  return a.kind == b.kind && a.version == b.version &&
         std::equal(a.paths.begin(), a.paths.end(), b.paths.begin(), b.paths.end(),
                    [](const doc::Path& x, const doc::Path& y) { return x.names() == y.names(); });
}

// Writes a text member of the client's object, or its default.
void WriteTextOrDefault(std::string_view given, std::string_view name, std::string_view text, doc::Writer* writer) {
  doc::Value value = given.empty() ? doc::Value() : doc::Find(given, name);
  if (IsAbsent(value))
    writer->AppendString(name, text);
  else
    writer->AppendValue(name, value);
}

void WriteConflictResolution(std::string_view definition, doc::Writer* writer) {
  doc::Value policy = doc::Find(definition, "conflictResolutionPolicy");
  std::string_view given = IsAbsent(policy) ? std::string_view() : policy.AsDocument();
  doc::Value mode = given.empty() ? doc::Value() : doc::Find(given, "mode");
  bool custom = mode.type() == doc::Type::kString && mode.AsString() == "Custom";
  writer->BeginObject("conflictResolutionPolicy");
  WriteTextOrDefault(given, "mode", "LastWriterWins", writer);
  WriteTextOrDefault(given, "conflictResolutionPath", custom ? "" : "/_ts", writer);
  WriteTextOrDefault(given, "conflictResolutionProcedure", "", writer);
  writer->End();
}

void WriteGeospatial(std::string_view definition, doc::Writer* writer) {
  doc::Value config = doc::Find(definition, "geospatialConfig");
  writer->BeginObject("geospatialConfig");
  WriteTextOrDefault(IsAbsent(config) ? std::string_view() : config.AsDocument(), "type", "Geography", writer);
  writer->End();
}

bool IsWrittenApart(std::string_view name) {
  return name == "id" || name == "indexingPolicy" || name == "partitionKey" || name == "defaultTtl" ||
         name == "conflictResolutionPolicy" || name == "geospatialConfig";
}

Result<std::string> CompletedProperties(std::string_view given, const engine::ContainerDefinition& definition,
                                        doc::Value partition_key) {
  std::string indexing;
  LAPSE_RETURN_IF_ERROR(CompleteIndexingPolicy(doc::Find(given, "indexingPolicy"),
                                               GeometriesOf(doc::Find(given, "geospatialConfig")), &indexing));
  std::string properties;
  doc::Writer writer(&properties);
  writer.BeginDocument();
  writer.AppendString("id", definition.name);
  writer.AppendDocument("indexingPolicy", indexing);
  WritePartitionKey(partition_key.AsDocument(), definition.partition_key, &writer);
  if (definition.default_ttl) writer.AppendInt32("defaultTtl", *definition.default_ttl);
  doc::Reader reader(given);
  while (auto element = reader.Next()) {
    if (IsWrittenApart(element->name) || IsContainerSystemName(element->name) || IsAbsent(element->value)) continue;
    writer.AppendValue(element->name, element->value);
  }
  WriteConflictResolution(given, &writer);
  WriteGeospatial(given, &writer);
  writer.End();
  return properties;
}

Result<std::string> ReadName(std::string_view definition) {
  doc::Value id = doc::Find(definition, "id");
  if (!IsAbsent(id) && id.type() != doc::Type::kString) return Invalid("The id of a container must be a string");
  std::string name(IsAbsent(id) ? std::string_view() : id.AsString());
  LAPSE_RETURN_IF_ERROR(CheckResourceName(name));
  return name;
}

// Reads the part common to create and replace, once the immutable parts are known.
Status ReadMutable(std::string_view given, std::string_view json, doc::Value partition_key,
                   engine::ContainerDefinition* definition) {
  LAPSE_ASSIGN_OR_RETURN(definition->default_ttl, ContainerTtl(doc::Find(given, "defaultTtl"), json));
  LAPSE_ASSIGN_OR_RETURN(std::string mode, IndexingMode(doc::Find(given, "indexingPolicy")));
  if (definition->default_ttl && mode == "none") {
    return Invalid("Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection");
  }
  LAPSE_ASSIGN_OR_RETURN(definition->change_log_retention_s,
                         ChangeLogRetention(doc::Find(given, "changeFeedPolicy"), json));
  LAPSE_RETURN_IF_ERROR(CheckComputedProperties(given, definition->partition_key));
  LAPSE_RETURN_IF_ERROR(CheckOtherProperties(given, json));
  LAPSE_ASSIGN_OR_RETURN(definition->properties, CompletedProperties(given, *definition, partition_key));
  LAPSE_RETURN_IF_ERROR(CheckSize(definition->properties));
  definition->indexing = IndexingOf(doc::Find(definition->properties, "indexingPolicy"));
  IndexComputed(definition->properties, &definition->indexing);
  definition->lifetime_property = kTtlProperty;
  return Status::Ok();
}

}  // namespace

bool MayHaveNoPartitionKey(std::string_view version) {
  constexpr std::string_view kFirstWithKeys = "2018-12-31";
  return version.size() == kFirstWithKeys.size() && version < kFirstWithKeys;
}

Result<engine::ContainerDefinition> NewContainerDefinition(std::string_view given, std::string_view json,
                                                           bool may_have_no_key) {
  LAPSE_RETURN_IF_ERROR(CheckSize(given));
  engine::ContainerDefinition definition;
  LAPSE_ASSIGN_OR_RETURN(definition.name, ReadName(given));
  LAPSE_ASSIGN_OR_RETURN(doc::Value partition_key, FindObject(given, "partitionKey"));
  if (partition_key.missing() && !may_have_no_key) return MissingPartitionKey();
  const std::string with_key = partition_key.missing() ? WithSystemKey(given) : std::string();
  if (partition_key.missing()) {
    given = with_key;
    partition_key = doc::Find(given, "partitionKey");
  }
  // Clients assume version 1 for a key without a version, and the system's key is returned without one.
  const int version = IsSystemKey(partition_key.AsDocument()) ? 1 : kPartitionKeyVersion;
  LAPSE_ASSIGN_OR_RETURN(definition.partition_key, ReadPartitionKey(partition_key, version));
  LAPSE_ASSIGN_OR_RETURN(definition.unique_keys, ReadUniqueKeyPolicy(doc::Find(given, "uniqueKeyPolicy")));
  LAPSE_RETURN_IF_ERROR(ReadMutable(given, json, partition_key, &definition));
  return definition;
}

Result<engine::ContainerDefinition> ReplacedContainerDefinition(std::string_view given,
                                                                const engine::ContainerDefinition& current,
                                                                std::string_view json) {
  LAPSE_RETURN_IF_ERROR(CheckSize(given));
  engine::ContainerDefinition definition;
  LAPSE_ASSIGN_OR_RETURN(definition.name, ReadName(given));
  if (definition.name != current.name) return Invalid("The id of a container cannot be changed.");
  definition.partition_key = current.partition_key;
  definition.throughput = current.throughput;

  LAPSE_ASSIGN_OR_RETURN(doc::Value partition_key, FindObject(given, "partitionKey"));
  if (!partition_key.missing()) {
    LAPSE_ASSIGN_OR_RETURN(engine::PartitionKeyDefinition key,
                           ReadPartitionKey(partition_key, current.partition_key.version));
    if (!SamePartitionKey(key, current.partition_key)) {
      return Invalid("Document collection partition key cannot be changed.");
    }
  }
  LAPSE_ASSIGN_OR_RETURN(doc::Value old_key, FindObject(current.properties, "partitionKey"));
  if (!old_key.missing()) partition_key = old_key;
  if (partition_key.missing()) return MissingPartitionKey();

  LAPSE_ASSIGN_OR_RETURN(definition.unique_keys, ReadUniqueKeyPolicy(doc::Find(given, "uniqueKeyPolicy")));
  if (definition.unique_keys != current.unique_keys) return Status(Code::kForbidden, std::string(kUniqueKeysFixedText));
  LAPSE_RETURN_IF_ERROR(ReadMutable(given, json, partition_key, &definition));
  return definition;
}

}  // namespace lapse::api::cosmos
