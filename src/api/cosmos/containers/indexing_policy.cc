#include "api/cosmos/containers/indexing_policy.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "doc/path.h"
#include "doc/writer.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kEverything = "/*";
constexpr std::string_view kEtag = "/\"_etag\"/?";

Status Invalid(std::string message) {
  return Status(Code::kInvalidArgument, std::move(message));
}

std::string LowerCase(std::string_view given) {
  std::string text(given);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return text;
}

bool Absent(doc::Value value) {
  return value.missing() || value.type() == doc::Type::kNull;
}

std::string_view DocumentOf(doc::Value policy) {
  return Absent(policy) ? std::string_view() : policy.AsDocument();
}

doc::Value FindIn(std::string_view document, std::string_view name) {
  return document.empty() ? doc::Value() : doc::Find(document, name);
}

// The paths of one list, after a look at the form of each entry.
struct PathList {
  bool given = false;
  doc::Value value;
  bool has_everything = false;
  bool has_etag = false;
};

Result<PathList> ReadPaths(std::string_view policy, std::string_view name) {
  PathList list;
  list.value = FindIn(policy, name);
  if (Absent(list.value)) return list;
  if (list.value.type() != doc::Type::kArray) return Invalid(std::string(name) + " must be an array");
  list.given = true;
  doc::Reader reader(list.value.AsDocument());
  while (auto entry = reader.Next()) {
    doc::Value path =
        entry->value.type() == doc::Type::kObject ? doc::Find(entry->value.AsDocument(), "path") : doc::Value();
    if (path.type() != doc::Type::kString || !path.AsString().starts_with('/')) {
      return Invalid("The indexing path of an entry of " + std::string(name) +
                     " must be a string that starts with '/'");
    }
    list.has_everything |= path.AsString() == kEverything || path.AsString() == "/";
    list.has_etag |= path.AsString() == kEtag;
  }
  return list;
}

void WritePath(doc::Writer* writer, std::string_view index, std::string_view path) {
  writer->BeginObject(index);
  writer->AppendString("path", path);
  writer->End();
}

// The client's entries, then `extra` when it is not empty.
void WritePaths(doc::Writer* writer, std::string_view name, const PathList& list, std::string_view extra) {
  writer->BeginArray(name);
  int count = 0;
  if (list.given) {
    doc::Reader reader(list.value.AsDocument());
    while (auto entry = reader.Next()) writer->AppendValue(std::to_string(count++), entry->value);
  }
  if (!extra.empty()) WritePath(writer, std::to_string(count), extra);
  writer->End();
}

// `/a/?` is the value at /a, `/a/*` all below it, `/a/[]` the elements of an array.
void AddPath(std::string_view text, bool indexed, engine::IndexingDefinition* indexing) {
  Result<doc::Path> path = doc::Path::FromSlashes(text == "/" ? kEverything : text);
  if (!path.ok()) return;
  engine::IndexingDefinition::Path added;
  added.names = path->names();
  added.indexed = indexed;
  added.one_value = !added.names.empty() && added.names.back() == "?";
  if (!added.names.empty() && (added.one_value || added.names.back() == "*")) added.names.pop_back();
  indexing->paths.push_back(std::move(added));
}

void AddPaths(doc::Value list, bool indexed, engine::IndexingDefinition* indexing) {
  doc::Reader reader(list.AsDocument());
  while (auto entry = reader.Next()) {
    AddPath(doc::Find(entry->value.AsDocument(), "path").AsString(), indexed, indexing);
  }
}

// `[[{"path":"/a","order":"ascending"},...],...]`. Fails where it is something else.
Status ReadComposite(doc::Value value, engine::IndexingDefinition::Composite* composite) {
  if (value.type() != doc::Type::kArray) return Invalid("Each of compositeIndexes must be an array of paths");
  doc::Reader reader(value.AsDocument());
  while (auto entry = reader.Next()) {
    const bool is_object = entry->value.type() == doc::Type::kObject;
    const doc::Value text = is_object ? doc::Find(entry->value.AsDocument(), "path") : doc::Value();
    if (text.type() != doc::Type::kString) return Invalid("A path of a composite index must have a string 'path'");
    Result<doc::Path> path = doc::Path::FromSlashes(text.AsString());
    if (!path.ok() || path->names().empty()) {
      return Invalid("The path '" + std::string(text.AsString()) + "' of a composite index cannot be read");
    }
    const doc::Value order = doc::Find(entry->value.AsDocument(), "order");
    const std::string direction = order.type() == doc::Type::kString ? LowerCase(order.AsString()) : "";
    if (!Absent(order) && direction != "ascending" && direction != "descending") {
      return Invalid("The order of a path of a composite index must be 'ascending' or 'descending'");
    }
    composite->push_back({path->names(), direction == "descending"});
  }
  if (composite->empty()) return Invalid("A composite index must have paths");
  return Status::Ok();
}

// Calls `take` with each.
template <typename Take>
Status ForEachComposite(doc::Value composites, const Take& take) {
  if (Absent(composites)) return Status::Ok();
  if (composites.type() != doc::Type::kArray) return Invalid("compositeIndexes must be an array");
  doc::Reader reader(composites.AsDocument());
  while (auto entry = reader.Next()) {
    engine::IndexingDefinition::Composite composite;
    LAPSE_RETURN_IF_ERROR(ReadComposite(entry->value, &composite));
    take(std::move(composite));
  }
  return Status::Ok();
}

// Of a policy that was checked.
void AddComposites(doc::Value composites, engine::IndexingDefinition* indexing) {
  static_cast<void>(ForEachComposite(composites, [&](engine::IndexingDefinition::Composite composite) {
    indexing->composites.push_back(std::move(composite));
  }));
}

bool IsCompleted(std::string_view name) {
  return name == "indexingMode" || name == "automatic" || name == "includedPaths" || name == "excludedPaths";
}

}  // namespace

Result<std::string> IndexingMode(doc::Value policy) {
  if (!Absent(policy) && policy.type() != doc::Type::kObject) return Invalid("indexingPolicy must be an object");
  doc::Value mode = FindIn(DocumentOf(policy), "indexingMode");
  if (Absent(mode)) return std::string("consistent");
  if (mode.type() != doc::Type::kString) return Invalid("indexingMode must be a string");
  std::string text = LowerCase(mode.AsString());
  if (text != "consistent" && text != "lazy" && text != "none") {
    return Invalid("indexingMode must be 'consistent', 'lazy' or 'none'");
  }
  return text;
}

Status CompleteIndexingPolicy(doc::Value policy, std::string* out) {
  LAPSE_ASSIGN_OR_RETURN(std::string mode, IndexingMode(policy));
  std::string_view given = DocumentOf(policy);
  doc::Value automatic = FindIn(given, "automatic");
  if (!Absent(automatic) && automatic.type() != doc::Type::kBool) {
    return Invalid("automatic of the indexing policy must be true or false");
  }
  LAPSE_ASSIGN_OR_RETURN(PathList included, ReadPaths(given, "includedPaths"));
  LAPSE_ASSIGN_OR_RETURN(PathList excluded, ReadPaths(given, "excludedPaths"));
  LAPSE_RETURN_IF_ERROR(ForEachComposite(FindIn(given, "compositeIndexes"), [](const auto&) {}));
  bool indexes = mode != "none";
  bool include_everything = indexes && !included.given && !excluded.has_everything;
  if (indexes && included.given && !included.has_everything && !excluded.has_everything) {
    return Invalid(
        "The special mandatory indexing path \"/\" is not provided in any of the path type sets. Please "
        "provide this path in one of the sets.");
  }

  doc::Writer writer(out);
  writer.BeginDocument();
  writer.AppendString("indexingMode", mode);
  writer.AppendBool("automatic", Absent(automatic) ? true : automatic.AsBool());
  WritePaths(&writer, "includedPaths", included, include_everything ? kEverything : std::string_view());
  WritePaths(&writer, "excludedPaths", excluded, indexes && !excluded.has_etag ? kEtag : std::string_view());
  if (!given.empty()) {
    doc::Reader reader(given);
    while (auto element = reader.Next()) {
      if (!IsCompleted(element->name)) writer.AppendValue(element->name, element->value);
    }
  }
  writer.End();
  return Status::Ok();
}

engine::IndexingDefinition IndexingOf(doc::Value completed) {
  engine::IndexingDefinition indexing;
  const std::string_view policy = completed.AsDocument();
  if (doc::Find(policy, "indexingMode").AsString() == "none") return indexing;
  AddPaths(doc::Find(policy, "includedPaths"), true, &indexing);
  AddPaths(doc::Find(policy, "excludedPaths"), false, &indexing);
  const doc::Value automatic = doc::Find(policy, "automatic");
  indexing.automatic = automatic.type() != doc::Type::kBool || automatic.AsBool();
  AddComposites(doc::Find(policy, "compositeIndexes"), &indexing);
  return indexing;
}

}  // namespace lapse::api::cosmos
